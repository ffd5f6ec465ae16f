"""Makes reference-minilm.json and reference-m3e.json: what sentence-transformers (PyTorch, on the processor) gives for
fifty texts each. The tests hold the local embedder against them.

    python3 -m venv venv && venv/bin/pip install sentence-transformers
    venv/bin/python reference.py minilm "$(tests/models fetch minilm)" > reference-minilm.json
    venv/bin/python reference.py m3e "$(tests/models fetch m3e)" > reference-m3e.json

Each number of a vector is multiplied by 10,000 and rounded.
"""

import json
import sys

ENGLISH = [
    "",
    "a",
    "Hello!",
    "OK 👍",
    "🎉🎂🥳 Happy birthday, Sam! 🎉",
    "The user prefers oat milk in her coffee.",
    "He moved from Berlin to Lisbon in March 2023 and still rents the old flat.",
    "What did I say about my sister's wedding?",
    "When is the next dentist appointment?",
    "Remind me to call Dr. O'Neill on Tuesday at 9:30 a.m.",
    "My dog, a 4-year-old beagle named Biscuit, is allergic to chicken.",
    "She's learning Portuguese, mostly by listening to podcasts on the train.",
    "I can't eat gluten, and neither can my son.",
    "The quarterly report is due on Friday; Anna wants the draft by Wednesday.",
    "https://example.com/path?query=1&other=two#part",
    "user@example.com wrote: \"Re: Re: Fwd: invoice #20391\"",
    "fn main() { println!(\"{}\", vec![1, 2, 3].iter().sum::<i32>()); }",
    "SELECT name, count(*) FROM visits WHERE day >= '2024-01-01' GROUP BY name;",
    "Temperature: -12.5°C, wind 30km/h NNE, pressure 1013 hPa",
    "naïve café Zürich São Paulo Łódź",
    "Москва и Санкт-Петербург",
    "日本語の文章も少しだけあります。",
    "我喜欢喝咖啡",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "ALL CAPS SHOUTING ABOUT THE FOOTBALL MATCH LAST NIGHT",
    "tabs\tand\nnewlines\r\nand   many    spaces",
    "\u200bzero\u200dwidth\ufeffjoiners and a soft\u00adhyphen",
    "1234567890 9876543210 3.14159 2.71828 1,000,000",
    "I think we should take the night train to Vienna, since the flights on that weekend are twice as expensive.",
    "My grandmother's recipe needs two cups of flour, one egg, a pinch of salt and a lot of patience.",
    "Please don't schedule meetings before ten; I bring the kids to school in the morning.",
    "Last summer the three of us hiked the Dolomites for nine days, and on the fourth day it snowed.",
    "The password of the guest network is on the fridge.",
    "He is afraid of flying but loves ferries.",
    "The band plays on the 14th in Manchester and on the 16th in Glasgow.",
    "I bought a second-hand piano; it needs tuning, and the middle C sticks.",
    "Which of the two laptops did I say had the better keyboard?",
    "Not bad.",
    "Not good.",
    "The film was wonderful, I cried twice.",
    "The film was terrible, I left after half an hour.",
    "She has been vegetarian since university and does not drink alcohol.",
    "We named the boat Albatross, against everyone's advice.",
    "It is what it is.",
    "👩‍👩‍👧‍👦 family dinner at 7 🍝",
    "A sentence with a [MASK] and a [SEP] inside, which a tokenizer may take for its own.",
    "After the surgery the doctor told my father to avoid stairs for six weeks, to take the tablets with food, and to "
    "come back in October for another scan; he has done none of these things.",
    "Our team uses a two-week cycle: planning on Monday, a demonstration on the second Thursday, and a retrospective on "
    "Friday morning, which Ravi moderates unless he travels. " * 3,
    "The old lighthouse keeper wrote down the weather every evening for forty years. " * 10,
    "This one is longer than the model can read: it goes on about trains, tea, tides and tomatoes. " * 40,
]

CHINESE = [
    "",
    "我",
    "你好！",
    "好的👍",
    "🎉🎂 生日快乐，小明！🥳",
    "我喜欢在咖啡里加燕麦奶。",
    "他三月份从北京搬到了上海，但旧房子还租着。",
    "我之前说过我妹妹的婚礼吗？",
    "下一次看牙医是什么时候？",
    "提醒我星期二上午九点半给王医生打电话。",
    "我的狗叫饼干，是一只四岁的比格犬，对鸡肉过敏。",
    "她在学葡萄牙语，主要是在地铁上听播客。",
    "我不能吃麸质，我儿子也不能。",
    "季度报告星期五交，安娜希望星期三先看初稿。",
    "请看 https://example.com/路径?查询=1",
    "发件人 user@example.com：发票编号 20391",
    "用 Rust 写一个 async 函数，返回 Result<Vec<u8>, Error>。",
    "气温零下12.5摄氏度，北风三级，气压1013百帕",
    "今天的 meeting 改到 3pm，room 还是 A座201。",
    "The user prefers tea over coffee.",
    "My deadline is next Friday, 别忘了。",
    "繁體中文也應該可以，例如臺灣和香港。",
    "日本語の文章も少しだけあります。",
    "龘靐齉爩这些字很少见",
    "１２３４５６全角数字和ＡＢＣ",
    "1234567890 3.14159 1,000,000",
    "不错。",
    "不好。",
    "电影太棒了，我哭了两次。",
    "电影太差了，半小时我就走了。",
    "我觉得我们应该坐夜车去成都，因为那个周末的机票贵了一倍。",
    "奶奶的做法需要两杯面粉、一个鸡蛋、一点盐和很多耐心。",
    "请不要把会议安排在十点以前，早上我要送孩子上学。",
    "去年夏天我们三个人在川西徒步了九天，第四天下了雪。",
    "客人用的无线网密码贴在冰箱上。",
    "他怕坐飞机，但喜欢坐船。",
    "乐队十四号在广州演出，十六号在深圳。",
    "我买了一架二手钢琴，需要调音，中央C键有点卡。",
    "我说过哪台笔记本电脑的键盘更好？",
    "她上大学以后就吃素，也不喝酒。",
    "我们不顾大家的建议，把船叫做“信天翁”。",
    "就这样吧。",
    "👩‍👩‍👧‍👦 晚上七点一家人吃饭 🍝",
    "制表符\t和换行\n以及   很多空格",
    "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。",
    "手术以后医生让爸爸六个星期不要爬楼梯，药要和饭一起吃，十月份再回来复查；他一样也没做到。",
    "句子里有 [MASK] 和 [SEP]，分词器可能当成自己的。",
    "我们团队两周一个周期：星期一做计划，第二个星期四演示，星期五上午复盘，由拉维主持，除非他出差。" * 3,
    "老灯塔看守人四十年来每天晚上都记录天气。" * 10,
    "这一段比模型能读的还要长：说火车，说茶，说潮水，也说西红柿。" * 40,
]


def main():
    from sentence_transformers import SentenceTransformer

    name, folder = sys.argv[1:]
    texts = {"minilm": ENGLISH, "m3e": CHINESE}[name]
    assert len(texts) == 50
    model = SentenceTransformer(folder, device="cpu")
    vectors = [model.encode(text, normalize_embeddings=True) for text in texts]
    print('{"about": "Made by reference.py with sentence-transformers; each number times 10,000.", "texts": [')
    for at, (text, vector) in enumerate(zip(texts, vectors)):
        numbers = ",".join(str(round(float(number) * 10000)) for number in vector)
        comma = "," if at + 1 < len(texts) else ""
        print(f'{{"text": {json.dumps(text, ensure_ascii=False)}, "vector": [{numbers}]}}{comma}')
    print("]}")


main()
