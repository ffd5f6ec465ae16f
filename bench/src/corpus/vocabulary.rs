//! The words of the generated chat, the common ones first. Laid out by hand: a word a line would fill ten pages.

/// What Chinese messages are made of.
#[rustfmt::skip]
pub(super) mod chinese {
    pub(crate) const WHO: &[&str] = &[
        "我", "我们", "他", "她", "老板", "妈妈", "爸爸", "同事", "老师", "女儿", "儿子", "朋友", "医生", "客户", "邻居", "房东",
        "姐姐", "弟弟", "爷爷", "奶奶", "教练", "经理", "室友", "快递员", "设计师", "产品经理", "实习生", "律师", "会计", "司机",
        "班主任", "健身教练",
    ];
    pub(crate) const SURNAMES: &[&str] = &[
        "王", "李", "张", "刘", "陈", "杨", "黄", "赵", "吴", "周", "徐", "孙", "马", "朱", "胡", "郭", "何", "高", "林", "罗", "郑",
        "梁", "谢", "宋", "唐", "许", "韩", "冯", "邓", "曹", "彭", "曾", "萧", "田", "董", "袁", "潘", "于", "蒋", "蔡",
    ];
    pub(crate) const GIVEN: &[&str] = &[
        "伟", "芳", "娜", "敏", "静", "丽", "强", "磊", "军", "洋", "勇", "艳", "杰", "娟", "涛", "明", "超", "秀", "霞", "平", "刚",
        "桂", "英", "华", "玉", "兰", "红", "鹏", "辉", "玲", "晨", "雪", "婷", "宇", "浩", "欣", "怡", "梓", "涵", "子", "轩", "雨",
        "桐", "思", "远", "嘉", "琪", "俊", "文", "博", "若", "曦", "一", "诺", "安", "然", "乐", "瑶", "佳", "宁",
    ];
    pub(crate) const WHEN: &[&str] = &[
        "今天", "明天", "昨天", "晚上", "下午", "早上", "周末", "下周", "上周", "刚才", "中午", "后天", "前天", "周五", "周一",
        "下个月", "上个月", "最近", "去年", "今年夏天", "国庆节", "春节", "半夜", "凌晨", "月底", "年底", "暑假", "寒假", "端午节",
        "下班以后",
    ];
    pub(crate) const WHERE: &[&str] = &[
        "公司", "家里", "学校", "医院", "超市", "地铁站", "机场", "餐厅", "咖啡馆", "公园", "健身房", "图书馆", "上海", "北京",
        "杭州", "深圳", "成都", "东京", "火车站", "会议室", "停车场", "菜市场", "电影院", "幼儿园", "办公室", "楼下", "银行",
        "派出所", "游泳馆", "三里屯", "静安寺", "西湖", "外滩", "广州", "南京", "重庆", "宠物医院", "博物馆", "音乐厅", "体育馆",
    ];
    pub(crate) const DID: &[&str] = &[
        "买了", "看了", "吃了", "修好了", "忘记带", "找到了", "预订了", "讨论了", "准备了", "取消了", "推荐了", "弄丢了", "学习",
        "喜欢", "讨厌", "联系了", "收到了", "寄出了", "打算换", "整理了", "复习了", "测试了", "上线了", "修改了", "提交了", "退掉了",
        "借走了", "归还了", "检查了", "试用了", "比较了", "搬走了", "拍了", "练习了", "翻译了", "签了",
    ];
    pub(crate) const HOW: &[&str] = &[
        "新的", "便宜的", "很贵的", "漂亮的", "旧的", "好吃的", "有意思的", "奇怪的", "重要的", "紧急的", "简单的", "复杂的",
        "蓝色的", "红色的", "安静的", "巨大的", "进口的", "二手的", "限量版的", "免费的", "过期的", "健康的", "辣的", "甜的",
        "没用过的", "最后一份",
    ];
    pub(crate) const THINGS: &[&str] = &[
        "咖啡", "电脑", "手机", "项目", "会议", "电影", "书", "火锅", "机票", "蛋糕", "房子", "合同", "报告", "猫粮", "耳机",
        "预算", "方案", "钢琴", "简历", "药", "牛奶", "雨伞", "钥匙", "身份证", "护照", "充电器", "自行车", "寿司", "拉面", "红烧肉",
        "豆腐", "草莓", "西瓜", "绿茶", "维生素", "跑步鞋", "瑜伽垫", "羽毛球拍", "吉他", "小提琴", "相机", "投影仪", "打印机",
        "洗衣机", "空调", "冰箱", "沙发", "书架", "窗帘", "地毯", "数据库", "服务器", "接口文档", "测试报告", "发布计划", "需求评审",
        "年终总结", "发票", "保险单", "体检报告", "疫苗", "头孢", "血压计", "眼镜", "隐形眼镜", "牙刷", "洗发水", "防晒霜", "帐篷",
        "睡袋", "登山杖", "行李箱", "签证", "酒店订单", "高铁票", "音乐节门票", "博物馆门票", "家长会通知", "数学作业", "英语单词",
        "毕业论文", "实验数据", "显微镜", "望远镜", "多肉植物", "金鱼", "仓鼠", "狗绳",
    ];
    pub(crate) const TAILS: &[&str] = &[
        "感觉还不错", "下次还想去", "真的太累了", "有点贵", "味道很好", "我不太确定", "希望能赶上", "已经跟大家说过了", "质量一般",
        "还要再等三天", "记得提醒我", "我对花生过敏", "没有想象中那么难", "客服一直不回复", "可以报销", "必须提前预约", "天气不太好",
        "路上堵车堵了一个小时", "老师说进步很大", "医生让多喝水早点睡", "差点迟到", "排队排了很久", "信号特别差", "比去年便宜了一半",
        "左手还需要多加练习", "我更喜欢靠窗的座位", "预算已经超了", "进度落后了两天", "线上出现了一个故障", "大家都同意这个方案",
        "猫好像不太习惯", "孩子晚上睡不着", "朋友从国外带回来的", "他从来不吃香菜", "密码又忘了", "明年打算搬家",
    ];
    pub(crate) const MARKS: &[&str] = &["，", "。", "。", "！", "？", "～", "……", "😂", "😭"];
}

/// What English messages are made of.
#[rustfmt::skip]
pub(super) mod english {
    pub(crate) const WHO: &[&str] = &[
        "I", "we", "she", "he", "they", "my mom", "my boss", "my sister", "the team", "my friend", "the doctor", "my brother",
        "our client", "the teacher", "my roommate", "my dad", "the landlord", "my daughter", "the coach", "a neighbour",
        "the designer", "the intern", "my husband", "my wife", "the lawyer", "the plumber", "my cousin", "the nurse",
    ];
    pub(crate) const BEGINNINGS: &[&str] = &[
        "Al", "Ma", "Jo", "Ka", "Be", "Ra", "Li", "El", "Ta", "Da", "Mi", "Sa", "Ro", "Vi", "Ha", "No", "Cla", "Fre", "Gre", "Ste",
        "Ju", "Pe", "An", "Os", "Wil", "Hen", "Tho", "Ny", "Zo", "Isa",
    ];
    pub(crate) const MIDDLES: &[&str] = &[
        "ri", "la", "na", "vi", "de", "mo", "ta", "li", "ra", "be", "so", "ni", "mar", "len", "dro", "ga", "chi", "var", "per",
        "tol",
    ];
    pub(crate) const ENDS: &[&str] = &[
        "na", "son", "ce", "ta", "rick", "lie", "ton", "ra", "vin", "bert", "nne", "das", "mir", "los", "gar", "field", "well",
        "ski", "sen", "ez",
    ];
    pub(crate) const WHEN: &[&str] = &[
        "today", "yesterday", "tomorrow", "this morning", "last night", "on Friday", "next week", "last week", "on Monday",
        "this weekend", "at noon", "before lunch", "after work", "last summer", "in April", "next month", "on Tuesday",
        "over Christmas", "two days ago", "around midnight", "since January", "during the holidays", "every Sunday",
    ];
    pub(crate) const WHERE: &[&str] = &[
        "at home", "at work", "in the office", "at the station", "near the park", "in Berlin", "in London", "at the airport",
        "at the gym", "in the kitchen", "downtown", "at the hospital", "in Kyoto", "at the library", "at the farmers market",
        "by the river", "in the garage", "at school", "in Lisbon", "at the dentist", "on the train", "in the basement",
        "at the museum", "in Toronto", "at the bakery", "behind the church", "on the balcony", "at the harbour",
    ];
    pub(crate) const DID: &[&str] = &[
        "bought", "forgot", "finished", "lost", "found", "booked", "fixed", "cancelled", "tried", "liked", "ordered", "returned",
        "mentioned", "recommended", "cooked", "watched", "started", "postponed", "reviewed", "deployed", "painted", "borrowed",
        "hated", "translated", "signed", "cleaned", "compared", "practised", "repaired", "upgraded", "measured", "delivered",
    ];
    pub(crate) const HOW: &[&str] = &[
        "new", "old", "expensive", "small", "red", "broken", "cheap", "favourite", "blue", "heavy", "quiet", "strange", "urgent",
        "beautiful", "second-hand", "wireless", "leather", "organic", "spicy", "frozen", "wooden", "electric", "vintage",
        "waterproof", "handmade", "confidential",
    ];
    pub(crate) const THINGS: &[&str] = &[
        "meeting", "laptop", "coffee", "phone", "project", "ticket", "movie", "book", "cake", "report", "flight", "car", "cat",
        "dog", "deadline", "contract", "house", "budget", "bicycle", "guitar", "passport", "umbrella", "recipe", "sandwich",
        "password", "printer", "camera", "piano", "keyboard", "headphones", "charger", "backpack", "jacket", "dentist appointment",
        "birthday party", "presentation", "database migration", "release plan", "server outage", "invoice", "insurance policy",
        "prescription", "vaccine", "allergy test", "strawberry pie", "noodle soup", "green tea", "marathon", "yoga class",
        "swimming lesson", "violin concert", "telescope", "microscope", "tent", "sleeping bag", "suitcase", "visa application",
        "hotel reservation", "train timetable", "museum pass", "math homework", "thesis chapter", "spreadsheet", "whiteboard",
        "garden fence", "washing machine", "refrigerator", "sofa", "bookshelf", "curtain", "carpet", "goldfish", "hamster",
        "succulent", "chess set", "board game", "novel", "podcast", "newsletter", "scholarship", "internship", "mortgage",
        "tax return", "driving licence", "parking permit", "blood pressure monitor", "pair of glasses", "electric scooter",
    ];
    pub(crate) const TAILS: &[&str] = &[
        "it was great", "I'm not sure about it", "we should do it again", "it took far too long", "please remind me later",
        "nobody answered the phone", "it was cheaper than last year", "I'm allergic to peanuts", "the traffic was terrible",
        "everyone agreed in the end", "we need a better plan", "the doctor said to drink more water", "she prefers the window seat",
        "the budget is already gone", "it still does not work", "he never eats cilantro", "the quality was disappointing",
        "I would rather be sleeping", "the commute takes ninety minutes", "the kids loved every minute of it",
        "it arrived two days late", "I forgot the password again", "the landlord wants to raise the rent",
        "my left hand needs more practice", "they are planning to move abroad", "the tests passed on the third attempt",
        "it reminded me of my grandmother", "the battery only lasts an hour",
    ];
    pub(crate) const MARKS: &[&str] = &[".", ".", ",", "!", "?", " :)", "..."];
}
