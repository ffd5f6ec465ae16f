//! Chinese surnames, simplified, and what stands beside them.

/// Surnames that are seldom a word by themselves.
const PLAIN: &str = "王李张刘陈杨赵黄周吴徐孙胡朱林何郭罗梁宋郑谢韩唐冯董萧肖程曹袁邓许傅沈曾彭吕苏卢\
                     蒋蔡贾丁魏薛叶阎闫余潘杜戴夏钟汪田任姜范石姚谭廖邹熊金陆郝孔崔邱秦江史顾侯邵孟龙\
                     段雷钱汤尹黎贺赖龚文庞樊兰殷施洪翟颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂柯柳阮靳蒲屈";

/// Surnames that are words too: with them a name needs more of its context.
const AMBIGUOUS: &str = "马高白方万易常武乔康毛安于向时成都和边花水关包左単单牧华路梅盛童桂裴甘连祁艾祝";

const DOUBLE: &[&str] =
    &["欧阳", "司马", "诸葛", "上官", "夏侯", "东方", "皇甫", "慕容", "令狐", "司徒", "端木", "公孙"];

/// 小 or 老 before these makes an ordinary word: 小熊, 小石, 老龙, 小江.
const NOT_NICKNAMES: &str = "林田石金江雷龙熊钱汤叶康毛史段文任余夏钟温牛兰季章严鲁葛华花洪施柳祝范何";

/// Titles that follow a surname.
#[rustfmt::skip]
pub(crate) const HONORIFICS: &[&str] = &[
    "老师", "医生", "先生", "女士", "小姐", "教授", "经理", "总监", "阿姨", "叔叔", "大哥", "大姐", "师傅",
    "护士", "律师", "主任", "校长", "同学", "太太", "大夫", "院长", "导演", "老板", "警官", "博士", "教练",
    "奶奶", "爷爷", "伯伯", "大爷", "大妈", "局长", "部长", "队长", "班长", "组长", "工程师", "总", "哥",
    "姐", "姨", "叔", "导", "工",
];

/// Ends of places and things that the dictionary takes for names.
pub(crate) const NO_ENDINGS: &str =
    "界性会庄人座感们港里区岛县市省镇村湖路街店馆城院厂营球式型化法物品机器者族队党节汉";

/// Words that the dictionary takes for names.
pub(crate) const NO_PEOPLE: &[&str] =
    &["胡萝卜", "马拉松", "高尔夫", "张家口", "罗纳尔多", "施坦因", "祝福", "夏天", "金融", "温顺"];

pub(crate) fn is_surname(c: char) -> bool {
    is_plain(c) || AMBIGUOUS.contains(c)
}

pub(crate) fn is_plain(c: char) -> bool {
    PLAIN.contains(c)
}

/// Whether 小王, 老王, 阿王 is somebody.
pub(crate) fn makes_nickname(c: char) -> bool {
    is_plain(c) && !NOT_NICKNAMES.contains(c)
}

/// How many characters of `name` are its surname; 0 when it has none.
pub(crate) fn length(name: &str) -> usize {
    if DOUBLE.iter().any(|double| name.starts_with(double)) {
        2
    } else {
        usize::from(name.chars().next().is_some_and(is_surname))
    }
}
