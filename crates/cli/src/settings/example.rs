//! The example file.

use super::table::SETTINGS;

/// A settings file that sets everything to its default and explains it.
pub(crate) fn toml_example() -> String {
    let mut text = String::from(
        "# Memoir's settings, each with its default. A line can be left out.\n\
         # `key` in `[section]` is also MEMOIR_SECTION_KEY in the environment, which overrides this file,\n\
         # and `--set section.key=value` on the command line, which overrides both.\n",
    );
    let mut open = "";
    for setting in SETTINGS {
        let (section, key) = setting.section_and_key();
        if section != open {
            text.push_str(&format!("\n[{section}]\n"));
            open = section;
        }
        let value = setting.kind.to_toml(setting.default);
        text.push_str(&format!("# {}\n{key} = {value}\n", setting.doc));
    }
    text
}
