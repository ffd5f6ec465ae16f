/// Characters that `fast2s` leaves alone and that readers take for the same: Hong Kong and Taiwan forms, older forms,
/// and a few traditional characters that its table lacks.
#[rustfmt::skip]
const MORE: &[(char, char)] = &[
    // 著 is both the particle (看著) and the 著 of 著名. One form for both, with the words in `dictionary`.
    ('著', '着'),
    ('妳', '你'), ('牠', '它'), ('嚐', '尝'), ('睏', '困'), ('祇', '只'), ('偺', '咱'), ('伕', '夫'),
    ('峯', '峰'), ('羣', '群'), ('眞', '真'), ('邨', '村'), ('枱', '台'), ('槪', '概'), ('凈', '净'),
    ('糭', '粽'), ('糉', '粽'), ('戸', '户'), ('緖', '绪'), ('鴈', '雁'), ('秊', '年'), ('韮', '韭'),
    ('喦', '岩'), ('枴', '拐'), ('藷', '薯'), ('踫', '碰'), ('鎗', '枪'), ('鼕', '咚'), ('暸', '了'),
    ('彆', '别'), ('慇', '殷'), ('慼', '戚'), ('冑', '胄'), ('痲', '麻'), ('瘉', '愈'), ('櫂', '棹'),
    ('囁', '嗫'), ('囌', '苏'), ('倀', '伥'), ('儅', '当'), ('塒', '埘'), ('矓', '眬'), ('糝', '糁'),
    ('紼', '绋'), ('繈', '襁'), ('臢', '臜'), ('裊', '袅'), ('嬝', '袅'), ('諼', '谖'), ('誶', '谇'),
    ('賻', '赙'), ('躓', '踬'), ('轔', '辚'), ('邐', '逦'), ('遝', '沓'), ('釅', '酽'), ('錙', '锱'),
    ('鏍', '螺'), ('鏨', '錾'), ('韉', '鞯'), ('饜', '餍'), ('騖', '骛'),
];

/// Ordinary simplified characters that `fast2s` maps to a rarer one (呵 to 嗬, as in 呵呵), which would take their
/// words out of the dictionary.
const KEPT: &[char] = &['呵', '捍', '阪', '呱', '磐', '吒', '醯', '煅', '仝'];

/// Where we differ from `fast2s` on `c`.
pub(crate) fn simplified(c: char) -> Option<char> {
    if KEPT.contains(&c) {
        return Some(c);
    }
    MORE.iter().find(|&&(from, _)| from == c).map(|&(_, to)| to)
}
