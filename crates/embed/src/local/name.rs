//! What a model is called.

use std::path::Path;

/// Names of folders that say nothing about the model in them.
const GENERIC: [&str; 5] = ["model", "models", "onnx", "main", "latest"];

/// The folder's name; where that says nothing, the name of the model that it was made of. A folder of the hub's cache,
/// `models--OWNER--NAME/snapshots/REVISION`, is called NAME.
pub(super) fn of(folder: &Path, origin: Option<&str>) -> String {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let parts: Vec<String> =
        absolute.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if let [.., cached, snapshots, _] = parts.as_slice()
        && snapshots == "snapshots"
        && let Some((_, name)) = cached.strip_prefix("models--").and_then(|name| name.split_once("--"))
    {
        return name.to_owned();
    }
    let own = parts.last().filter(|name| !GENERIC.contains(&name.to_lowercase().as_str()));
    let origin = origin.and_then(|path| path.trim_end_matches('/').rsplit('/').next());
    let origin = origin.filter(|name| !name.is_empty() && *name != ".");
    own.map(String::as_str).or(origin).unwrap_or("model").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_called_by_its_folder_unless_that_says_nothing() {
        let names = [
            ("/models/bge-small-zh-v1.5/", None, "bge-small-zh-v1.5"),
            ("/wheels/m3e-small", Some("uer/chinese_roberta_L-4_H-512"), "m3e-small"),
            ("/wheels/gt_all/model", Some("nreimers/MiniLM-L6-H384-uncased"), "MiniLM-L6-H384-uncased"),
            ("/hub/models--intfloat--multilingual-e5-small/snapshots/0123abc", None, "multilingual-e5-small"),
            ("/model", Some("."), "model"),
        ];
        for (folder, origin, name) in names {
            assert_eq!(of(Path::new(folder), origin), name);
        }
    }
}
