//! What gives a question about past talk away, as data.

use super::Reason;

/// Words that say something when all of them are there.
pub(super) struct Cue {
    /// One of each list must occur.
    pub(super) all: &'static [&'static [&'static str]],
    /// None of these may.
    pub(super) none: &'static [&'static str],
    /// How much it says, for or against.
    pub(super) weight: f32,
    /// Whether it says so only in a question.
    pub(super) question: bool,
    pub(super) reason: Reason,
}

const fn cue(
    all: &'static [&'static [&'static str]],
    none: &'static [&'static str],
    weight: f32,
    question: bool,
    reason: Reason,
) -> Cue {
    Cue { all, none, weight, question, reason }
}

#[rustfmt::skip]
const SAID: &[&str] = &[
    "说过", "说的", "说了", "讲过", "讲的", "讲了", "提过", "提到", "聊过", "聊的", "聊了", "聊到", "聊什么", "聊啥", "聊些", "谈过", "谈了", "谈到", "告诉过", "告诉你",
    "告诉我", "跟你说", "和你说", "同你讲", "跟你讲", "跟你提", "和你聊", "跟你聊", "推荐的", "推荐过", "推荐给", "建议的", "建议过", "教我的", "教过我", "约好", "约定", "商量",
    "讨论", "答应", "发给你", "发我", "说好的", "定的", "算的", "记过", "记的", "报的", "投票", "说好", "分享过", "问过你", "问你的", "回答", "给了…建议", "给过…建议", "给的建议",
    "给我的建议", "给出的", "定了", "定下", "定好", "说定", "决定", "约了", "交代", "嘱咐", "叮嘱", "汇报", "打卡", "抱怨", "反馈", "夸", "吐槽", "保证", "承诺", "列的",
    "列过", "提的", "提出", "点过", "选的", "选了", "选定", "敲定", "谈妥", "转述", "讲起", "说起", "提起", "聊起", "问的", "答复", "回复", "通知", "安排",
    "我说", "你说", "让我", "我让你", "你不让", "发的", "发过", "发了", "写过", "报过", "报了", "称呼我", "商定", "谈的", "说是", "劝我", "劝过", "教我", "教的", "帮我定", "帮我列", "帮我算", "交待", "答应过", "承诺过", "@过", "说要",
    "给的", "甩的", "丢的", "传的", "贴的", "扔的", "描述的", "描述过", "解释的", "解释过",
    "刚刚说", "刚说", "刚才说", "昨天说", "早上说", "上午说", "下午说",
];
/// What was said to whoever is asked, or by them.
#[rustfmt::skip]
const TO_OR_FROM_YOU: &[&str] = &[
    "跟你", "给你", "和你", "同你", "向你", "对你", "报给你", "发给你", "告诉你", "告诉过你", "话过", "话你知", "你讲", "你说", "你提", "你教我", "你推荐", "你建议", "你让我",
    "你要我", "你告诉我", "你给我…的", "你帮我…的", "你替我…的", "你劝我", "你夸我", "你答应", "你刚讲", "你刚说", "你刚提", "你刚教我", "你刚推荐", "你刚建议", "你刚让我", "你刚要我",
    "你刚告诉我", "你刚给我…的", "你刚帮我…的", "你刚替我…的", "你刚劝我", "你刚夸我", "你刚答应", "你刚刚讲", "你刚刚说", "你刚刚提", "你刚刚教我", "你刚刚推荐", "你刚刚建议", "你刚刚让我",
    "你刚刚要我", "你刚刚告诉我", "你刚刚给我…的", "你刚刚帮我…的", "你刚刚替我…的", "你刚刚劝我", "你刚刚夸我", "你刚刚答应", "你刚才讲", "你刚才说", "你刚才提", "你刚才教我", "你刚才推荐",
    "你刚才建议", "你刚才让我", "你刚才要我", "你刚才告诉我", "你刚才给我…的", "你刚才帮我…的", "你刚才替我…的", "你刚才劝我", "你刚才夸我", "你刚才答应", "你之前讲", "你之前说", "你之前提",
    "你之前教我", "你之前推荐", "你之前建议", "你之前让我", "你之前要我", "你之前告诉我", "你之前给我…的", "你之前帮我…的", "你之前替我…的", "你之前劝我", "你之前夸我", "你之前答应", "你上次讲",
    "你上次说", "你上次提", "你上次教我", "你上次推荐", "你上次建议", "你上次让我", "你上次要我", "你上次告诉我", "你上次给我…的", "你上次帮我…的", "你上次替我…的", "你上次劝我", "你上次夸我",
    "你上次答应", "你上回讲", "你上回说", "你上回提", "你上回教我", "你上回推荐", "你上回建议", "你上回让我", "你上回要我", "你上回告诉我", "你上回给我…的", "你上回帮我…的", "你上回替我…的",
    "你上回劝我", "你上回夸我", "你上回答应", "我说过", "我讲过", "我提过", "我提到", "我报过", "我告诉过", "我聊过", "我说的", "我讲的", "我提的", "我报的", "我发的", "我列的", "我选的",
    "我定的", "我写的", "我说是", "我说几", "我说啥", "我说什么", "我说哪", "我记的", "我打卡的", "我话过", "俺说过", "俺讲过", "俺提过", "俺提到", "俺报过", "俺告诉过", "俺聊过",
    "俺说的", "俺讲的", "俺提的", "俺报的", "俺发的", "俺列的", "俺选的", "俺定的", "俺写的", "俺说是", "俺说几", "俺说啥", "俺说什么", "俺说哪", "俺记的", "俺打卡的", "俺话过",
    "咱说过", "咱讲过", "咱提过", "咱提到", "咱报过", "咱告诉过", "咱聊过", "咱说的", "咱讲的", "咱提的", "咱报的", "咱发的", "咱列的", "咱选的", "咱定的", "咱写的", "咱说是", "咱说几",
    "咱说啥", "咱说什么", "咱说哪", "咱记的", "咱打卡的", "咱话过",
    "你当时", "你那天", "你当初", "你一开始", "你…跟我", "我…描述的", "我…描述过", "每次我说", "好像…过", "好像提", "好像说", "帮我回忆", "回忆回忆", "关于我",
];
/// What several said or settled.
#[rustfmt::skip]
const BY_US: &[&str] = &[
    "咱…说的", "咱…定的", "咱…选的", "咱…排的", "咱…定了", "咱…说好", "咱…聊的", "咱…商量", "咱…敲定", "咱…谈的", "咱…决定", "咱…排到", "咱…说到", "咱…聊到", "咱…读到",
    "咱…讨论", "咱…约的", "咱…吵", "我们…说的", "我们…定的", "我们…选的", "我们…排的", "我们…定了", "我们…说好", "我们…聊的", "我们…商量", "我们…敲定", "我们…谈的", "我们…决定",
    "我们…排到", "我们…说到", "我们…聊到", "我们…读到", "我们…讨论", "我们…约的", "我们…吵", "咱们…说的", "咱们…定的", "咱们…选的", "咱们…排的", "咱们…定了", "咱们…说好", "咱们…聊的",
    "咱们…商量", "咱们…敲定", "咱们…谈的", "咱们…决定", "咱们…排到", "咱们…说到", "咱们…聊到", "咱们…读到", "咱们…讨论", "咱们…约的", "咱们…吵", "大家…说的", "大家…定的", "大家…选的",
    "大家…排的", "大家…定了", "大家…说好", "大家…聊的", "大家…商量", "大家…敲定", "大家…谈的", "大家…决定", "大家…排到", "大家…说到", "大家…聊到", "大家…读到", "大家…讨论", "大家…约的",
    "大家…吵", "他们…说的", "他们…定的", "他们…选的", "他们…排的", "他们…定了", "他们…说好", "他们…聊的", "他们…商量", "他们…敲定", "他们…谈的", "他们…决定", "他们…排到", "他们…说到",
    "他们…聊到", "他们…读到", "他们…讨论", "他们…约的", "他们…吵", "你们…说的", "你们…定的", "你们…选的", "你们…排的", "你们…定了", "你们…说好", "你们…聊的", "你们…商量", "你们…敲定",
    "你们…谈的", "你们…决定", "你们…排到", "你们…说到", "你们…聊到", "你们…读到", "你们…讨论", "你们…约的", "你们…吵", "俺…说的", "俺…定的", "俺…选的", "俺…排的", "俺…定了",
    "俺…说好", "俺…聊的", "俺…商量", "俺…敲定", "俺…谈的", "俺…决定", "俺…排到", "俺…说到", "俺…聊到", "俺…读到", "俺…讨论", "俺…约的", "俺…吵", "最后…定的", "最后…选的",
    "最后说的", "最后…决定", "最终…定", "后来…定", "后来…选了",
    "他们…定", "有人…认领", "谁说要", "谁要带",
    "我们最后", "咱们最后", "咱最后", "我们…过的", "咱…过的", "我们…过哪", "说她", "说他",
    "大家…选了", "大家…定", "最后…选了", "最后…投票",
];
/// What asks for something.
#[rustfmt::skip]
const ASKED: &[&str] = &[
    "?", "吗", "什么", "啥", "咩", "哪", "谁", "几", "多少", "多久", "怎么", "为什么", "为啥", "还是", "来着", "没", "呢", "是不是", "有没有", "不",
];
/// Where many talk.
#[rustfmt::skip]
const IN_GROUP: &[&str] = &[
    "群里", "群里头", "大群", "小群", "这个群", "友群", "工作群", "频道里", "channel", "未读", "爬楼", "爬一下楼", "楼上", "@我", "有人@", "有人认领", "聊天记录",
    "有人找我", "消息太多", "刷不过来", "错过了什么", "投票结果", "表决结果",
];
/// What is to be put into other words.
#[rustfmt::skip]
const WORDING: &[&str] = &[
    "翻译", "翻成", "译成", "用英文", "用英语", "英文怎么", "润色", "造个句", "造句",
];
/// What asks for advice, or to keep or do something.
#[rustfmt::skip]
const NOT_ASKED_OF_US: &[&str] = &[
    "听说过", "有没有…推荐", "怎么办", "应该怎么", "该怎么", "怎样才能", "如何", "推荐一", "推荐几", "有什么建议", "给我建议", "能推荐", "可以推荐", "有什么推荐", "有什么办法", "帮我写",
    "帮我做", "帮我想", "天气", "好不好", "可以吗", "行吗", "能不能", "要不要", "有哪些", "为什么会", "怎么样才", "怎么做", "有什么好", "推荐给我一", "推荐给我几", "推荐给我吧", ",我应该",
    ",我该", ",应该", ",该", ",那我", ",我现在", ",我要不要", "比较好", "能一起", "可以一起", "有什么区别", "什么原因", "前兆", "症状", "正常吗", "严重吗", "什么药好", "怎么治",
    "怎么缓解", "记住", "请记", "帮我记", "记一下", "记下", "提醒我", "别忘", "记得提醒", "备注", "记得带", "记得买", "记得吃", "帮我设", "订个", "定个闹钟", "设个", ",有什么",
    ",还有别的", "别的招", "有没有必要", "你觉得", "你怎么看", "怎么看", "正常", "严重", "该", "应该", "可不可以", "帮我发", "通知", "合理吗", "靠谱吗", "好吗", "要紧吗", "可以…吗",
    "能…吗", "明天", "下周", "后天",
    "会影响", "会不会", "会…吗", "什么意思", "想问问", "想问一下", "影响效果",
];
/// What lies behind.
#[rustfmt::skip]
const BACK: &[&str] = &[
    "上次", "上回", "之前", "以前", "昨天", "昨晚", "前天", "刚才", "刚刚", "那天", "当时", "上周", "上个", "上礼拜", "上星期", "去年", "前几天", "前两天", "前阵子", "那次",
    "天前", "月前", "周前", "年前", "过去", "以往", "曾经", "历史", "前面", "号那天", "那会", "先前", "头一次", "前些天", "前些日子", "前段时间", "方才", "早前", "此前",
    "一开始", "当初", "月初", "刚开始",
    "昨儿", "前儿", "头一回", "上一次", "头回", "老早",
];
/// What may lie behind or ahead.
#[rustfmt::skip]
const MAYBE_BACK: &[&str] = &[
    "早上", "今天", "周一", "周二", "周三", "周四", "周五", "周六", "周日", "月份", "过年", "开始", "第一次", "这周", "这个月", "最近", "记录",
];
/// What lies ahead.
#[rustfmt::skip]
const AHEAD: &[&str] = &[
    "下周", "下个", "明天", "后天", "明早", "明晚", "今晚", "待会", "等会", "一会儿", "要讨论", "准备聊", "打算聊", "之前要",
];
/// Whose words are in books and not in the talk.
#[rustfmt::skip]
const TOLD_OF: &[&str] = &[
    "书里", "书中", "小说", "电影里", "电影中", "剧里", "剧中", "原著", "红楼", "西游", "三国", "水浒", "童话", "诗里", "课文", "历史上", "圣经", "论语", "主角", "主人公",
    "作者", "狐狸", "王子", "哈姆", "名言", "古人", "鲁迅", "第一回",
    "这诗", "谁写的", "这首", "这句", "孔子", "林黛玉", "子路", "发布会", "新闻",
    "《", "采访", "演讲", "当年", "原话是",
];
#[rustfmt::skip]
const STORE: &[&str] = &[
    "记住", "请记", "帮我记", "记一下", "记下", "提醒我", "别忘", "记得提醒", "备注", "记得带", "记得买", "记得吃", "帮我设", "订个", "定个闹钟", "设个",
];
#[rustfmt::skip]
const ADVICE: &[&str] = &[
    "听说过", "有没有…推荐", "怎么办", "应该怎么", "该怎么", "怎样才能", "如何", "推荐一", "推荐几", "有什么建议", "给我建议", "能推荐", "可以推荐", "有什么推荐", "有什么办法", "帮我写",
    "帮我做", "帮我想", "天气", "好不好", "可以吗", "行吗", "能不能", "要不要", "有哪些", "为什么会", "怎么样才", "怎么做", "有什么好", "推荐给我一", "推荐给我几", "推荐给我吧", ",我应该",
    ",我该", ",应该", ",该", ",那我", ",我现在", ",我要不要", "比较好", "能一起", "可以一起", "有什么区别", "什么原因",
    "前兆", "症状", "正常吗", "严重吗", "什么药好", "怎么治", "怎么缓解",
    ",有什么",
    "什么意思", "所以想问", "想问问",
];

#[rustfmt::skip]
pub(super) const ZHONG: &[Cue] = &[
    cue(&[&["记得", "记不记得", "还记不记得", "想得起来"], &["吗", "?", "不", "什么", "啥", "哪", "谁", "几", "多少", "来着", "么"]], &["记得提醒", "记得带", "记得买", "记得吃", "记得要", "不记得了", "记得去", "才记得", "我记得"], 0.7, true, Reason::AsksToRemember),
    cue(&[&["你记得", "你还记得", "还记得我", "还记得之前", "还记得上", "还记得咱", "记不记得"]], &["记得提醒"], 0.6, true, Reason::AsksToRemember),
    cue(&[&["来着"]], &[], 0.6, false, Reason::AsksWhatWasSaid),
    cue(&[BACK, SAID], ADVICE, 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[MAYBE_BACK, SAID], BACK, 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[MAYBE_BACK, SAID, AHEAD], BACK, -0.6, true, Reason::AsksOtherwise),
    cue(&[MAYBE_BACK, SAID, ADVICE], BACK, -0.6, true, Reason::AsksOtherwise),
    cue(&[TOLD_OF, &["说了什么", "说了些什么", "说过什么", "说了啥", "讲了什么", "说的", "说了", "原话"]], &["我们", "咱", "群里", "跟你", "和你", "你说", "你讲", "聊", "我最"], -1.5, true, Reason::AsksOtherwise),
    cue(&[&["我都记", "都记下了", "我记下了", "我都照做", "都知道了"]], &["?"], -0.7, false, Reason::States),
    cue(&[&["我", "咱"], &["有没有", "是不是", "是否", "可曾"], &["告诉", "说过", "提过", "讲过", "跟你说", "跟你讲", "提到", "聊过", "分享", "提起", "汇报", "抱怨", "说起"]], ADVICE, 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&["说到第几", "读到第几", "看到第几", "聊到第几", "讲到第几", "说到哪", "进行到哪", "进行到第几", "停在哪", "停在第几"]], &[], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&["我跟你说过", "我和你说过", "我告诉过你", "我跟你讲过", "我说过", "我提过", "我提到过", "我讲过", "跟你提过", "跟你讲过", "跟你说过", "和你说过", "跟你聊过", "和你聊过", "我有没有说", "我有没有跟你", "我有没有提", "你说过", "你提过", "你讲过", "你推荐过", "我们聊过", "我们聊到", "我们谈过", "我们讨论过", "我问过你", "我有跟你", "我有说过", "我是不是说过", "我是不是跟你", "我曾经", "咱们聊", "咱俩聊", "我们聊了", "我們聊", "我对你说", "我向你"]], ADVICE, 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&["回顾", "总结", "回忆", "复述", "梳理", "整理", "概括", "汇总", "复盘"], &["上次", "昨天", "之前", "我们聊", "聊天", "对话", "谈话", "这周", "上周", "最近", "今天聊", "群里", "说过", "讨论", "上个月", "说的", "记录", "打卡"]], &["帮我写总结"], 0.6, false, Reason::AsksForSummary),
    cue(&[&["聊了什么", "聊了些", "聊了啥", "聊些什么", "聊过什么", "聊的什么", "聊的是什么", "说了什么", "说了些什么", "说了啥", "说过什么", "讲了什么", "谈了什么", "谈了些", "讨论了什么", "讨论了啥", "聊到哪", "讲到哪", "说到哪", "读到哪", "看到哪", "聊到什么", "提到过什么", "提过什么", "提到了什么"], &["我", "你", "咱", "群", "大家", "有人", "他", "她", "医生", "老师", "老板", "agent", "助手", "教练", "昨", "上次", "之前", "刚", "前天", "上周", "那天", "今天", "早上", "上回", "会上", "总", "姐", "哥", "工", "老", "小"]], ADVICE, 0.6, false, Reason::AsksWhatWasSaid),
    cue(&[&["我的", "我女儿", "我儿子", "我妈", "我爸", "我老婆", "我老公", "我家", "我那", "我喜欢", "我最喜欢", "我不喜欢", "我是", "我在", "我什么时候", "我哪", "我几", "我有", "我多", "我上", "我去", "我买", "我叫", "我定", "我读到", "我对", "我爱", "我平时", "我每", "我之前", "我以前", "我想去", "我打算"], &["是什么", "叫什么", "叫啥", "是啥", "是谁", "几号", "几点", "几月", "哪天", "哪一天", "哪里", "哪儿", "哪家", "哪个", "多少", "什么时候", "多久", "是哪", "什么名字", "什么颜色", "什么型", "第几", "对吧", "是吧", "对吗", "是吗", "对不对", "是不是", "什么过敏", "喜欢什么", "有什么爱好", "什么工作", "几岁", "几个", "几次", "什么书", "什么电影", "去过哪", "过什么", "了什么", "些什么", "什么样", "过吗", "吗"]], &["应该", "该", "怎么办", "推荐", "建议", "可以吗", "能不能", "怎么", "要不要", "为什么", "适合", "合适", "正常吗", "严重吗", "有用吗", "行吗", "好吗", "有没有办法", "会不会", "能不", "帮我", "下周", "明天", "下个月", "有空", "可不可以", "你觉得", "能吃", "可以吃", "能…吗", "可以…吗", "有什么好", "如何", "你喜欢", "你有", "你会", "你想", "你听", "难吗", "检查", "听说过"], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&["你给我推荐", "你给我…建议", "你给了我", "你推荐", "你告诉过", "你告诉我", "你教过", "你教我", "你说过", "你建议", "你提过", "你讲过", "你提醒过", "你跟我说", "你对我"], &["哪", "什么", "啥", "几", "多少", "谁", "过吗", "过没"]], &["能推荐", "可以推荐", "有什么推荐", "能给我", "可以给我", "请你推荐", "能不能", "能告诉我", "可以告诉我", "推荐一", "推荐几", "想请你", "希望你", "想让你", "请推荐", "你推荐什么"], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&["我", "咱"], &["了哪", "了什么", "了谁", "了几", "了多少", "了一道什么", "过哪", "过什么", "过几", "过谁", "了啥", "过啥", "去了哪", "看了哪", "了一部什么", "了一本什么", "了一个什么", "了一件什么"]], &["你觉得", "怎么办", "发生了什么", "推荐", "怎么了", "错过了什么才", "要不要"], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&["我", "咱", "你"], &["是?", "是什么?", "是哪", "叫什么", "是谁", "是啥", "喜欢哪", "喜欢什么", "喜欢谁", "喜欢干", "喜欢做", "爱吃什么", "是几", "在哪", "几号", "哪天", "哪一天", "什么时候", "去哪个", "对吗", "对吧", "是吧", "是不是"]], &["你觉得", "怎么办", "推荐", "建议", "你喜欢", "你是", "你叫", "应该", "明天", "下周", "下个月", "后天", "要去哪", "想去哪里玩好", "有什么好", "吃什么好", "怎么", "我该", "天气预报", "能不能", "可以吗", "合适", "适合", "比较好", "什么意思", "为什么会", "是什么原因", "检查", "听说过", "是不是该", "是不是应该", "是不是要", "是不是有问题", "正常", "严重", "什么情况", "是不是太", "是不是得了"], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&["上次说", "上回说", "上次說", "上回我说", "上次我说", "你上次说", "之前说", "我一开始", "当初我", "我最开始", "之前是怎么", "聊天时你", "聊天的时候你", "之前是不是"]], ADVICE, 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&["你应该有数", "你应该知道", "你那有", "你那里有", "你记录", "你有记"], ASKED], &[], 0.6, true, Reason::AsksForOwnFact),
    cue(&[&["你知道我", "你了解我", "猜猜我", "你还知道我", "你可以告诉我我", "能告诉我我", "知不知道我"]], &[], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&["群里", "群里头", "大群", "小群", "这个群", "频道里", "channel"], &["谁", "说了", "什么", "定的", "结论", "哪", "几", "聊", "错过", "讲", "啥", "说的", "提", "过吗", "抱怨", "发的", "有人", "过"]], &["怎么办", "帮我发", "提醒", "通知一下", "要不要", "怎么发"], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[TO_OR_FROM_YOU, ASKED], NOT_ASKED_OF_US, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&["你之前说", "你上次说", "你不是说过", "你刚刚说", "你刚才说", "你当时说", "你那天说", "你跟我推荐", "你之前讲", "你上次讲"], ASKED], &["该", "怎么办", "换一个", "要不要"], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[BY_US, ASKED], NOT_ASKED_OF_US, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[IN_GROUP, ASKED], NOT_ASKED_OF_US, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&["当时是谁", "当时谁", "之前是谁", "之前谁", "上次是谁", "上次谁", "昨天是谁", "昨天谁", "那天是谁", "那天谁", "刚才谁", "刚刚谁", "上周谁", "前天谁"]], NOT_ASKED_OF_US, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&["谁…过"]], NOT_ASKED_OF_US, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&["讲的", "说的", "提的", "发的", "给的", "报的", "定的", "甩的"], &["几点", "哪", "多少", "几号", "是谁", "叫啥", "叫什么", "是啥", "在哪"]], NOT_ASKED_OF_US, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&["最近一次", "上一次", "头一次", "连续", "打卡"], &["啥时候", "什么时候", "几号", "哪天", "多少天", "几天了", "第几天"]], NOT_ASKED_OF_US, 0.5, true, Reason::AsksForOwnFact),
    cue(&[&["考考你", "猜猜"], &["我"]], &[], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&["我当初…为", "我一开始…为", "我最初…为", "我那时…为"]], &["该", "怎么办"], 0.5, true, Reason::AsksForOwnFact),
    cue(&[TOLD_OF, &["谁"]], &["我们", "咱", "群里"], -0.8, true, Reason::AsksOtherwise),
    cue(&[WORDING], BACK, -0.8, false, Reason::AsksForAction),
    cue(&[WORDING, &["翻成", "翻译", "译成"]], &[], -3.0, false, Reason::AsksForAction),
    cue(&[&["谁…提的", "谁…说的", "谁…发的", "谁…定的", "谁…答应", "谁提", "谁说的", "谁说过", "谁发的", "谁答应", "谁报名", "谁负责的", "谁主动"]], TOLD_OF, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&["咱们…定的", "我们…定的", "咱们…选", "我们…选了", "我们…选的", "咱…定了", "我们…定了", "我们…说好", "咱们…说好", "我们…约的", "我们…商量"], &["还是", "哪", "什么", "啥", "几", "多少", "谁"]], AHEAD, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&["我"], &["当初", "头一回", "头一次", "第一次", "一开始", "刚开始", "那次", "上次", "上回", "上一次"], &["多少", "几", "为什么说", "为啥说", "为什么想", "哪", "什么时候", "是什么"]], &["该", "怎么办", "推荐", "建议", "要不要", "能不能", "原因", "正常", "严重", ","], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&["忘了你", "忘了我", "忘了他", "忘了咱", "忘记你", "忘了之前", "忘了上次", "忘了昨天", "记不清你", "记不清我", "想不起来你", "想不起来我", "想不起我"]], &["经常", "老是", "总是", "别忘", "忘了我是谁"], 0.5, true, Reason::AsksToRemember),
    cue(&[&["再发我", "再给我", "再说一遍", "再讲一遍", "再发一", "再说一次", "重新发", "原话", "翻一下", "翻出来", "找出来", "查一下之前", "查下之前", "之前的记录", "聊天记录", "帮我找"]], STORE, 0.5, false, Reason::AsksWhatWasSaid),
    cue(&[&["忘了", "忘记了", "想不起", "记不清", "记不得", "不记得"], SAID], STORE, 0.3, false, Reason::AsksToRemember),
    cue(&[STORE], &["记住了吗", "我说过", "怎么跟我", "你那天", "你上次"], -0.6, false, Reason::AsksForAction),
    cue(&[ADVICE], &["说过", "来着", "推荐的", "建议的", "记得", "聊过"], -0.3, false, Reason::AsksOtherwise),
];

#[rustfmt::skip]
const SAY: &[&str] = &[
    " say ", " said ", " tell ", " told ", " mention ", " mentioned ", " talk ", " talked ", " talking ", " discuss ",
    " discussed ", " decide ", " decided ", " agree ", " agreed ", " recommend ", " recommended ", " suggest ", " suggested ",
    " share ", " shared ", " describe ", " described ", " ask ", " asked ", " bring up ", " brought up ", " chat ", " chatted ",
    " promise ", " promised ", " plan ", " planned ", " give ", " gave ", " send ", " sent ", " cover ", " covered ", " explain ",
    " explained ", " set ", " pick ", " picked ", " settle ", " settled ", " propose ", " proposed ", " vote ", " voted ",
    " offer ", " offered ", " report ", " reported ", " conclude ", " concluded ", " teach ", " taught ", " note ", " noted ",
    " quote ", " quoted ",
    " complain ", " complained ", " post ", " posted ", " raise ", " raised ", " volunteer ", " volunteered ", " commit ", " committed ", " log ", " logged ", " confirm ", " confirmed ", " write ", " wrote ", " claim ", " claimed ", " disagree ", " disagreed ", " warn ", " warned ", " advise ", " advised ", " flag ", " flagged ", " choose ", " chose ",
    " reply ", " replied ", " answer ", " answered ", " anwser ", " drop ", " dropped ", " argue ", " argued ", " put ", " reckoned ", " ditch ", " ditched ",
    " call ", " called ", " have me ",
];
#[rustfmt::skip]
const ASK: &[&str] = &[
    " what ", " which ", " when ", " where ", " who ", " how ", " why ", " did ", " whose ", " what s ", " whats ", " can you ",
    " remind me ", " tell me ", " forgot ", " forget ",
    " list ", " show me ", " any idea ", " give me ", " have we ", " have i ", " could you ", " would you ", " can t remember ", " don t remember ",
];
#[rustfmt::skip]
const STORE_EN: &[&str] = &[
    " remember that ", " remember to ", " please remember ", " remind me to ", " remind me at ", " remind me tomorrow ",
    " remind me in ", " remind me on ", " remind me every ", " remind me next ", " don t forget ", " make a note ", " note that ",
    " keep in mind ", " set a reminder ", " set an alarm ", " save this ", " add a reminder ", " schedule ",
];
#[rustfmt::skip]
const ADVICE_EN: &[&str] = &[
    " should i ", " how do i ", " how can i ", " how could i ", " what should ", " can you suggest ", " could you suggest ",
    " can you recommend ", " could you recommend ", " any tips ", " any advice ", " any suggestions ", " help me write ",
    " can you help ", " could you help ", " what would you ", " weather ", " write a ", " draft ", " how would ", " how to ",
    " is it ok ", " is it normal ", " is it safe ", " what is the best ", " what are some ", " what s the best ",
    " please suggest ", " give me some ", " i m looking for ", " i need help ", " can you give me some ", " what can i ",
    " what else ", " anything else ", " got something ", " any other ", " anything in that line ", " translate ", " in japanese ", " in french ", " in spanish ", " in english ", " in chinese ", " how do you say ", " rewrite ", " rephrase ",
];
#[rustfmt::skip]
const ADVICE_OR_THANKS: &[&str] = &[
    " should i ", " how do i ", " how can i ", " how could i ", " what should ", " can you suggest ", " could you suggest ",
    " can you recommend ", " could you recommend ", " any tips ", " any advice ", " any suggestions ", " help me write ",
    " can you help ", " could you help ", " what would you ", " weather ", " write a ", " draft ", " how would ", " how to ",
    " is it ok ", " is it normal ", " is it safe ", " what is the best ", " what are some ", " what s the best ",
    " please suggest ", " give me some ", " i m looking for ", " i need help ", " can you give me some ", " what can i ",
    " thank you ", " thanks for ",
    " what else ", " anything else ", " got something ", " any other ", " translate ", " in japanese ", " in french ", " in spanish ", " in english ", " like you said ", " as you said ", " as you suggested ", " like you suggested ", " as i said ", " like i said ", " forget everything ", " forget what i ", " rewrite ", " rephrase ",
    " as i mentioned ", " like i mentioned ", " as we discussed ", " question is different ",
    " like i told ", " as i told ", " not here ", " anything similar ",
];
#[rustfmt::skip]
const STORE_OR_PEOPLE: &[&str] = &[
    " remember that ", " remember to ", " please remember ", " remind me to ", " remind me at ", " remind me tomorrow ",
    " remind me in ", " remind me on ", " remind me every ", " remind me next ", " don t forget ", " make a note ", " note that ",
    " keep in mind ", " set a reminder ", " set an alarm ", " save this ", " add a reminder ", " schedule ", " people ",
    " usually remember ", " patients ",
    " translate ", " in japanese ", " in french ", " in english ",
];
/// What asks for something.
const ASKED_EN: &[&str] =
    &[" what ", " which ", " who ", " when ", " where ", " any ", " did ", " has ", " was ", " how "];
/// Whose words are in books and not in the talk.
#[rustfmt::skip]
const TOLD_OF_EN: &[&str] = &[
    " act ", " scene ", " novel ", " in the book ", " bible ", " philosopher ", " president ", " published ", " century ", " speech ", " movie ", " film ", " play ", " poem ", " in chapter ", " character ", " protagonist ", " author ", " shakespeare ", " famously ",
    " commons ", " really say ", " in an interview ", " post race ", " parliament ", " senate ", " congress ", " mr ",
    " fed ", " churchill ",
    " presidential ", " debate ",
];

#[rustfmt::skip]
pub(super) const ENGLISH: &[Cue] = &[
    cue(&[&[" do you remember ", " do you recall ", " you remember ", " can you recall ", " could you recall ", " remember when i ", " remember what ", " remember which ", " remember who ", " remember how ", " remember the name ", " remember where ", " recall what ", " recall when ", " recall the ", " can you remember "]], STORE_OR_PEOPLE, 0.7, true, Reason::AsksToRemember),
    cue(&[&[" did i ", " did we ", " did you ", " have i ", " have we ", " had i ", " had we ", " have you ", " i d ", " did they ", " did anyone ", " did anybody ", " did someone ", " has anyone ", " has anybody ", " haven t i ", " haven t we ", " didn t i ", " didn t we ", " didn t you ", " was it me who "], SAY], &[" did you know ", " have you heard ", " have you tried ", " have you ever "], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" i told you ", " i said ", " i mentioned ", " you said ", " you told me ", " you mentioned ", " we talked ", " we discussed ", " we decided ", " we agreed ", " we were talking ", " you recommended ", " you suggested ", " i was telling you ", " i asked you ", " we spoke ", " we chatted ", " i ve told you ", " i ve mentioned ", " i ve said ", " i told ", " you gave me ", " you taught me ", " we covered ", " i shared ", " we set ", " we picked ", " we settled ", " i sent you ", " you sent me ", " you listed ", " we planned ", " we came up with ", " you explained ", " i described ", " we made ", " we wrote ", " asked you to ", " told me … you ", " was it you who ", " did we ever ", " told you ", " gave you ", " sent you ", " you reckoned ", " you wrote ", " you drafted ", " you made me ", " we gave you ", " we argued ", " we chose ", " we ditched ", " we dropped ", " i gave you ", " you shared ", " you posted ", " you had me ", " you promised ", " you agreed ", " you warned ", " you advised ", " i reported ", " i complained ", " i logged ", " you picked ", " you chose ", " you showed me ", " you named "]], ADVICE_OR_THANKS, 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" what was it ", " when was it ", " who was it ", " which was it ", " where was it ", " what was that again ", " what was his name ", " what was her name ", " what was its name ", " what were they "]], ADVICE_EN, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" anyone ", " anybody ", " someone ", " somebody ", " who ", " was it … who ", " agent ", " bot "], SAY, &[" here ", " in here ", " chat ", " channel ", " group ", " thread ", " yesterday ", " earlier ", " last ", " before ", " while i was ", " already ", " agent ", " bot "]], TOLD_OF_EN, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" you know about my ", " you know about me ", " do you know my ", " do you have my ", " do you know where i ", " do you know what i ", " do you know who my ", " do you know when i ", " do you know how i ", " what s on my ", " on my … list ", " am i on ", " am i up to ", " anyone remember ", " you should have it ", " you should know ", " going by what i ", " based on what i ", " from what i ve told ", " our last chat ", " our last talk ", " our last session ", " our old chats ", " our chats ", " our old messages ", " chat history ", " our history "]], ADVICE_EN, 0.5, true, Reason::AsksForOwnFact),
    cue(&[&[" did … say ", " did … mention ", " did … suggest ", " did … propose ", " did … promise ", " did … recommend ", " did … agree ", " did … report ", " did … tell ", " did … bring up ", " did … decide ", " did … offer ", " did … ask ", " did … post ", " did … commit ", " did … give ", " did … send ", " did … set ", " did … want ", " did … pick ", " did … name ", " did … quote ", " did … choose ", " did … vote ", " did … volunteer ", " did … complain ", " has … said ", " has … mentioned ", " … proposed ", " … suggested ", " … volunteered "], ASK], TOLD_OF_EN, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" did ", " said ", " say "], TOLD_OF_EN], &[" we ", " you ", " i told ", " did i "], -0.7, true, Reason::AsksOtherwise),
    cue(&[&[" what was ", " what were ", " what s ", " which ", " what is "], &[" your advice ", " your suggestion ", " your suggestions ", " your recommendation ", " your recommendations ", " your answer ", " your explanation ", " your list ", " your tip ", " your tips ", " your plan for me "]], &[" on how ", " what s your ", " what is your "], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[ASK, &[" i wanted ", " i planned ", " i chose ", " i promised ", " i committed ", " i logged ", " i reported ", " i complained ", " i picked ", " i ordered ", " i booked ", " i was supposed ", " i was taking ", " i was reading ", " i was on ", " i started with ", " i set ", " i settled ", " i agreed ", " i decided ", " i named ", " i listed ", " i signed up "]], ADVICE_EN, 0.5, true, Reason::AsksForOwnFact),
    cue(&[&[" who shared ", " who posted ", " who sent ", " who s got ", " has … replied ", " was i supposed ", " was i suposed ", " testing your memory ", " scroll up ", " you know my "]], TOLD_OF_EN, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" channel ", " s thread ", " this thread ", " the thread "], ASKED_EN], ADVICE_EN, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" were we on ", " were we at ", " were we doing ", " were we reading ", " did we stop ", " did we leave ", " did we get to ", " was i on ", " was i at ", " did we land on ", " did we end up "]], &[], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" in the gc ", " in this gc ", " in here ", " group posted ", " unread ", " the last … in here ", " in this chat ", " in this group ", " in this thread ", " in this channel ", " in the thread ", " in the channel ", " on this thread ", " on here "], SAY], &[], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" tldr ", " tl dr ", " catch me up ", " what happened "], &[" in here ", " here ", " in the group ", " in this ", " while i ", " thread ", " of this ", " of the "]], &[], 0.6, false, Reason::AsksForSummary),
    cue(&[&[" translate ", " in japanese ", " in french ", " in spanish ", " into english ", " into french ", " into chinese ", " how do you say "]], &[], -3.0, false, Reason::AsksForAction),
    cue(&[&[" don t forget ", " do not forget ", " never forget "]], &[], -0.9, false, Reason::AsksForAction),
    cue(&[&[" recap ", " summarize ", " summarise ", " summary ", " catch me up ", " bring me up to speed ", " go over ", " what did i miss ", " sum up ", " run me through ", " walk me through "], &[" yesterday ", " last ", " our ", " we ", " conversation ", " chat ", " chats ", " talk ", " this week ", " past ", " earlier ", " group ", " today ", " previous ", " since "]], &[" book ", " article ", " this text ", " every "], 0.6, true, Reason::AsksForSummary),
    cue(&[&[" what did i miss ", " what s been said ", " what was said ", " what was decided ", " where did we leave off ", " where were we ", " where did i leave off ", " what was the name of the ", " what was that ", " what were we ", " what was it again ", " what s it called again ", " again what ", " what was the ", " what were the ", " what was your ", " what were your ", " who said ", " who was it ", " who mentioned ", " who suggested "]], ADVICE_EN, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" remind me what ", " remind me which ", " remind me who ", " remind me when ", " remind me where ", " remind me how ", " remind me of ", " remind me why ", " remind me again ", " refresh my memory ", " i forgot what ", " i forgot which ", " i forgot the ", " i forget what ", " i forget the ", " i forget which ", " i can t remember ", " i don t remember ", " what i told you ", " pull up ", " look up what ", " find what i ", " find the message ", " the exact words ", " word for word ", " again please "]], &[" remind me of my appointment "], 0.6, false, Reason::AsksWhatWasSaid),
    cue(&[&[" my ", " i ", " mine ", " am i ", " our "], &[" what is my ", " what s my ", " whats my ", " what are my ", " when is my ", " when s my ", " when was my ", " where is my ", " where do i ", " where did i ", " when did i ", " what did i ", " which did i ", " who is my ", " who s my ", " who did i ", " how many ", " how much ", " how long ", " how often ", " how old ", " which ", " what was my ", " what were my ", " do i like ", " do i have ", " what do i ", " did i ", " have i ", " am i allergic ", " don t like ", " right? ", " what kind of ", " what type of ", " what time do i ", " what time did i ", " what day ", " what date ", " what are the names ", " what is the name of my ", " what s the name of my ", " what s the name of ", " what color ", " what book ", " what movie ", " what car ", " what city ", " why did i ", " how did i "]], &[" should i ", " should we ", " can i ", " could i ", " would ", " best ", " recommend ", " suggest ", " advice ", " help ", " is it ", " tomorrow ", " next week ", " next month ", " will ", " going to ", " do i need ", " how do i ", " how can i ", " tips ", " do i look ", " am i ok ", " did i do ", " need to ", " do you think "], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&[" according to our ", " based on our ", " from our conversation ", " in our conversation ", " in our conversations ", " in our chat ", " in our last ", " our last ", " our previous ", " our earlier ", " throughout our ", " across our ", " from our ", " in the group ", " in the chat ", " earlier conversation ", " previous conversation ", " during our "], ASK], &[], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" last time ", " last week ", " yesterday ", " the other day ", " earlier ", " previously ", " before ", " last month ", " days ago ", " weeks ago ", " months ago ", " last night ", " this morning ", " last monday ", " last tuesday ", " last friday ", " back in "], SAY, ASK], &[" should ", " best ", " recommend a ", " \" "], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" when did ", " what did ", " where did ", " who did ", " why did ", " how did ", " what does ", " what do i "], &[" say ", " said ", " go ", " receive ", " have ", " get ", " like ", " take ", " buy ", " do ", " interview ", " attend ", " visit ", " share ", " tell ", " end up ", " picking ", " start ", " make ", " read ", " watch ", " plan ", " feel "], &[" ?"]], &[" should ", " how do i ", " did you know ", " what do you ", " can i ", " best ", " mean ", " what does it ", " do you think ", " what do people ", " how did you ", " tomorrow ", " what did you do ", " next "], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" i once ", " i shared ", " i recommended ", " i told ", " you warned ", " i ran it past ", " i wrote you ", " we stopped ", " the group discuss ", " last time i ", " your take on ", " was i ", " were we ", " i was planning ", " did the group ", " didn t i ", " have i already ", " already tell ", " do you remeber ", " about my background ", " my previous "], &[" ?"]], ADVICE_EN, 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" who said ", " who was it "], &["\""]], &[], -0.6, true, Reason::AsksOtherwise),
    cue(&[&[" my therapist ", " my doctor told ", " thank you ", " thanks ", " helped a lot ", " i need to remember ", " still don t know ", " i m glad ", " haven t decided "]], &[" what did my doctor ", " did my "], -0.5, false, Reason::States),
    cue(&[STORE_EN], &[" did i ", " do you remember ", " i told you ", " you gave ", " you sent ", " we talked "], -0.7, false, Reason::AsksForAction),
    cue(&[ADVICE_EN], &[" you said ", " i told ", " we talked ", " we discussed ", " you recommended ", " you suggested ", " did i ", " did we ", " remember "], -0.4, false, Reason::AsksOtherwise),
];

#[rustfmt::skip]
pub(super) const ZHONG_DETAIL: &[&str] = &[
    "叫什么", "叫啥", "名字", "书名", "几", "多少", "哪天", "哪一天", "哪家", "哪个", "哪里", "哪儿", "哪条", "哪位", "哪本", "哪种", "哪一", "谁", "什么时候", "具体",
    "原话", "一字不差", "号码", "电话", "地址", "姓什么", "什么型", "来着", "多久", "多长", "单号", "什么名", "什么书", "什么过敏", "哪部", "哪些", "什么颜色", "数字", "日期",
    "几号", "链接",
];
#[rustfmt::skip]
pub(super) const ENGLISH_DETAIL: &[&str] = &[
    " how much ", " how many ", " how long ", " how often ", " how old ", " what time ", " when ", " where ", " who ", " whose ",
    " which ", " name ", " names ", " called ", " exact ", " exactly ", " number ", " date ", " price ", " dose ", " address ",
    " what day ", " title ", " word for word ", " quote ", " phone ", " code ", " what s my ", " what is my ", " what color ",
    " percent ", " cost ", " score ", " weight ", " password ", " how far ", " how big ",
];
