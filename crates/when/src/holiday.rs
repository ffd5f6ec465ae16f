//! Days with names.

use jiff::ToSpan;
use jiff::civil::Date;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::calendar::{months, nth_weekday};
use crate::reading::Reading;
use crate::{calendars, lunar};

/// When a holiday is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// Month and day.
    Fixed(i8, i8),
    /// Month, number (negative from the end), weekday (Monday is 0).
    Nth(i8, i64, i8),
    /// The same, and so many days later.
    NthPlus(i8, i64, i8, i64),
    /// Days after Easter Sunday.
    Easter(i64),
    /// Days after the Easter of the orthodox churches.
    Orthodox(i64),
    /// Month and day of the moon's calendar.
    Lunar(u8, u8),
    /// The last day of the Chinese year, which ends in the next.
    LunarEve,
    /// Month and day of the Islamic calendar.
    Islamic(i64, i64),
    /// Month (Nisan is 1) and day of the Jewish calendar. Its days begin on the evening before.
    Jewish(i64, i64),
    /// Clear and bright: about 4 April.
    Qingming,
    /// The shortest day.
    WinterSolstice,
}

/// A name that people use, simplified and lower case, and the day.
pub(crate) struct Holiday {
    pub(crate) names: &'static [&'static str],
    pub(crate) rule: Rule,
    /// How many days it lasts.
    pub(crate) days: i64,
}

const fn on(names: &'static [&'static str], rule: Rule) -> Holiday {
    Holiday { names, rule, days: 1 }
}

const fn lasting(days: i64, names: &'static [&'static str], rule: Rule) -> Holiday {
    Holiday { names, rule, days }
}

#[rustfmt::skip]
pub(crate) const HOLIDAYS: &[Holiday] = &[
    on(&["元旦", "元旦节", "yuandan", "新年", "公历新年", "new year's day", "new years day", "new year day", "new year", "new year's", "new years"], Rule::Fixed(1, 1)),
    on(&["春节", "新春", "农历新年", "大年初一", "正月初一", "过年", "chinese new year", "lunar new year", "spring festival", "chinese new year's day", "chinese new years", "chinese new years day", "lunar new year's day", "chinese lunar new year", "chinese lunar new year's day"], Rule::Lunar(1, 1)),
    on(&["元宵", "元宵节", "上元节", "lantern festival", "正月十五"], Rule::Lunar(1, 15)),
    on(&["龙抬头"], Rule::Lunar(2, 2)),
    on(&["端午", "端午节", "dragon boat festival", "duanwu"], Rule::Lunar(5, 5)),
    on(&["七夕", "七夕节", "乞巧节", "qixi"], Rule::Lunar(7, 7)),
    on(&["中元节", "鬼节"], Rule::Lunar(7, 15)),
    on(&["中秋", "中秋节", "mid-autumn festival", "mid autumn festival", "moon festival"], Rule::Lunar(8, 15)),
    on(&["重阳", "重阳节", "double ninth festival"], Rule::Lunar(9, 9)),
    on(&["腊八", "腊八节"], Rule::Lunar(12, 8)),
    on(&["小年"], Rule::Lunar(12, 23)),
    on(&["除夕", "除夕夜", "大年三十", "年三十", "年夜", "chinese new year's eve", "chinese new year eve"], Rule::LunarEve),
    on(&["清明", "清明节", "tomb sweeping day", "qingming"], Rule::Qingming),
    on(&["冬至"], Rule::WinterSolstice),
    on(&["情人节", "圣瓦伦丁节", "valentine's day", "valentines day", "valentine's", "valentine day", "valentines"], Rule::Fixed(2, 14)),
    on(&["妇女节", "三八节", "三八妇女节", "女神节", "women's day", "international women's day"], Rule::Fixed(3, 8)),
    on(&["植树节"], Rule::Fixed(3, 12)),
    on(&["白色情人节", "white day", "圆周率日", "pi day"], Rule::Fixed(3, 14)),
    on(&["消费者权益日", "国际消费者权益日"], Rule::Fixed(3, 15)),
    on(&["愚人节", "april fools", "april fool's day", "april fools day", "april fool's"], Rule::Fixed(4, 1)),
    on(&["地球日", "世界地球日", "earth day"], Rule::Fixed(4, 22)),
    on(&["劳动节", "五一", "五一劳动节", "国际劳动节", "五一国际劳动节", "五一节", "may day", "int'l workers day", "international workers day", "international workers' day", "labour day"], Rule::Fixed(5, 1)),
    on(&["青年节", "五四", "五四青年节"], Rule::Fixed(5, 4)),
    on(&["护士节"], Rule::Fixed(5, 12)),
    on(&["儿童节", "六一", "六一儿童节", "国际儿童节"], Rule::Fixed(6, 1)),
    on(&["juneteenth", "freedom day", "jubilee day", "emancipation day"], Rule::Fixed(6, 19)),
    on(&["建党节", "党的生日"], Rule::Fixed(7, 1)),
    on(&["independence day", "fourth of july", "4th of july", "the fourth of july"], Rule::Fixed(7, 4)),
    on(&["建军节", "八一", "八一建军节"], Rule::Fixed(8, 1)),
    on(&["教师节", "teacher's day", "teachers day"], Rule::Fixed(9, 10)),
    on(&["国庆", "国庆节", "十一国庆节", "national day"], Rule::Fixed(10, 1)),
    on(&["老板节", "boss's day", "boss day", "bosses day", "boss's", "bosses' day"], Rule::Fixed(10, 16)),
    on(&["万圣节", "万圣夜", "万圣节前夜", "halloween", "hallowe'en", "all hallows eve", "all hallows' eve"], Rule::Fixed(10, 31)),
    on(&["诸圣节", "all saints' day", "all saints day"], Rule::Fixed(11, 1)),
    on(&["万灵节", "all souls' day", "all souls day"], Rule::Fixed(11, 2)),
    on(&["光棍节", "双十一", "双11", "singles day", "singles' day"], Rule::Fixed(11, 11)),
    on(&["veterans day", "veteran's day", "veterans' day", "armistice day"], Rule::Fixed(11, 11)),
    on(&["双十二", "双12"], Rule::Fixed(12, 12)),
    on(&["平安夜", "圣诞夜", "圣诞前夜", "christmas eve", "xmas eve"], Rule::Fixed(12, 24)),
    on(&["圣诞", "圣诞节", "耶诞节", "christmas", "christmas day", "xmas", "xmas day", "x-mas"], Rule::Fixed(12, 25)),
    on(&["节礼日", "boxing day"], Rule::Fixed(12, 26)),
    on(&["跨年夜", "跨年", "新年前夜", "新年夜", "new year's eve", "new years eve", "new year eve"], Rule::Fixed(12, 31)),
    on(&["澳门回归纪念日"], Rule::Fixed(12, 20)),
    on(&["香港回归纪念日"], Rule::Fixed(7, 1)),
    on(&["st patrick's day", "saint patrick's day", "st. patrick's day", "st patricks day", "saint patricks day", "st patty's day", "st paddy's day", "saint paddy's day", "圣帕特里克节"], Rule::Fixed(3, 17)),
    on(&["groundhog day", "土拨鼠日", "groundhogs day", "groundhog's day"], Rule::Fixed(2, 2)),
    on(&["ides of march", "the ides of march"], Rule::Fixed(3, 15)),
    on(&["cinco de mayo"], Rule::Fixed(5, 5)),
    on(&["guy fawkes night", "bonfire night"], Rule::Fixed(11, 5)),
    on(&["mlk day", "civil rights day", "idaho human rights day", "martin luther king jr.'s day", "martin luther king day", "martin luther king's day", "martin luther king jr. day", "martin luther king jr day", "马丁路德金日", "马丁·路德·金日"], Rule::Nth(1, 3, 0)),
    on(&["presidents day", "president's day", "presidents' day", "washington's birthday", "总统日", "president day"], Rule::Nth(2, 3, 0)),
    on(&["母亲节", "mother's day", "mothers day", "mothers' day"], Rule::Nth(5, 2, 6)),
    on(&["阵亡将士纪念日", "memorial day", "decoration day"], Rule::Nth(5, -1, 0)),
    on(&["父亲节", "father's day", "fathers day", "fathers' day"], Rule::Nth(6, 3, 6)),
    on(&["美国劳动节", "labor day"], Rule::Nth(9, 1, 0)),
    on(&["哥伦布日", "columbus day", "indigenous peoples' day"], Rule::Nth(10, 2, 0)),
    on(&["感恩节", "thanksgiving", "thanksgiving day", "thanks giving day", "thanks giving", "turkey day"], Rule::Nth(11, 4, 3)),
    on(&["黑色星期五", "black friday"], Rule::NthPlus(11, 4, 3, 1)),
    on(&["网络星期一", "cyber monday"], Rule::NthPlus(11, 4, 3, 4)),
    on(&["secretaries day", "administrative professionals' day", "admins day", "administrative professionals day", "administrative professional day", "administrative professional's day", "secretary's day", "secretaries' day"], Rule::NthPlus(4, -1, 5, -3)),
    on(&["复活节", "主复活日", "easter", "easter sunday", "复活节星期日", "复活节主日"], Rule::Easter(0)),
    on(&["复活节星期一", "复活节翌日", "easter monday", "easter mon"], Rule::Easter(1)),
    on(&["耶稣受难日", "受难节", "耶稣受难节", "主受难节", "受难日", "圣周五", "good friday", "great friday"], Rule::Easter(-2)),
    on(&["耶稣受难日翌日", "主受难节翌日", "受难节翌日", "神圣周六", "圣周六", "holy saturday", "easter saturday"], Rule::Easter(-1)),
    on(&["濯足节", "圣周四", "圣周星期四", "设立圣餐日", "神圣星期四", "maundy thursday", "holy thursday", "covenant thu", "thu of mysteries"], Rule::Easter(-3)),
    on(&["棕枝主日", "圣枝主日", "圣树主日", "棕榈主日", "基督苦难主日", "palm sunday", "branch sunday"], Rule::Easter(-7)),
    on(&["圣灰星期三", "圣灰日", "灰日", "圣灰礼仪日", "涂灰日", "ash wednesday"], Rule::Easter(-46)),
    on(&["忏悔星期二", "煎饼星期二", "煎饼日", "忏悔火曜日", "shrove tuesday", "mardi gras", "pancake day", "pancake tuesday", "fat tuesday"], Rule::Easter(-47)),
    on(&["耶稣升天节", "耶稣升天日", "升天节", "ascension day", "ascension thursday", "feast of the ascension"], Rule::Easter(39)),
    on(&["圣灵降临节", "圣灵降临日", "五旬节", "白色星期日", "pentecost", "whitsunday", "white sunday"], Rule::Easter(49)),
    on(&["圣灵节庆日", "圣灵降临节庆日", "whit monday", "whitmonday", "monday of the holy spirit", "pentecost monday"], Rule::Easter(50)),
    on(&["圣三一主日", "三一节", "三一主日", "trinity sunday"], Rule::Easter(56)),
    on(&["基督圣体圣血节", "基督圣体节", "基督圣体圣血瞻礼", "corpus christi", "the feast of corpus christi"], Rule::Easter(60)),
    on(&["东正教复活节", "orthodox easter", "orthodox easter sunday", "pascha"], Rule::Orthodox(0)),
    on(&["东正教复活节星期一", "orthodox easter monday"], Rule::Orthodox(1)),
    on(&["东正教耶稣受难日", "东正教主受难节", "东正教圣周五", "orthodox good friday", "orthodox great friday"], Rule::Orthodox(-2)),
    on(&["东正教圣周六", "东正教神圣周六", "东正教耶稣受难日翌日", "东正教主受难节翌日", "orthodox holy saturday", "orthodox great saturday"], Rule::Orthodox(-1)),
    on(&["东正教棕枝主日", "东正教圣树主日", "东正教圣枝主日", "东正教基督苦难主日", "orthodox palm sunday", "orthodox branch sunday"], Rule::Orthodox(-7)),
    on(&["开斋节", "肉孜节", "尔代节", "eid al-fitr", "eid", "eid ul-fitr", "eid al fitr", "end of ramadan"], Rule::Islamic(10, 1)),
    on(&["古尔邦节", "宰牲节", "忠孝节", "eid al-adha", "eid ul-adha", "eid al adha", "id ul-adha", "sacrifice feast", "bakr id"], Rule::Islamic(12, 10)),
    on(&["伊斯兰新年", "伊斯兰教新年", "伊斯兰历新年", "islamic new year", "arabic new year", "hijri new year", "amun jadid", "muharram"], Rule::Islamic(1, 1)),
    lasting(30, &["斋月", "拉马丹", "ramadan", "ramadhan", "ramzan"], Rule::Islamic(9, 1)),
    on(&["圣纪节", "先知纪念日", "mawlid", "mawlid al-nabi", "the birthday of the prophet", "mawlid al-nabawi", "milad un-nabi"], Rule::Islamic(3, 12)),
    on(&["登霄节", "夜行登霄节", "isra and mi'raj", "the night journey"], Rule::Islamic(7, 27)),
    lasting(2, &["犹太新年", "岁首节", "吹角节", "rosh hashanah", "rosh hashana", "rosha shana", "yom teruah", "rosh hashanna"], Rule::Jewish(7, 1)),
    on(&["赎罪日", "yom kippur"], Rule::Jewish(7, 10)),
    lasting(8, &["住棚节", "sukkot", "feast of the ingathering", "succos", "feast of tabernacles"], Rule::Jewish(7, 15)),
    on(&["圣会节", "shemini atzeret"], Rule::Jewish(7, 22)),
    on(&["诵经节", "西赫托拉节", "西赫妥拉节", "转经节", "欢庆圣法节", "simchat torah", "simhat torah"], Rule::Jewish(7, 23)),
    lasting(8, &["光明节", "修殿节", "烛光节", "hanukkah", "chanukah", "hanukah", "chanuka", "hannukkah", "献殿节", "马加比节"], Rule::Jewish(9, 25)),
    on(&["犹太植树节", "图比舍巴特节", "树木新年", "tu bishvat", "tu bishevat"], Rule::Jewish(11, 15)),
    on(&["普珥节", "purim", "shushan purim"], Rule::Jewish(12, 14)),
    lasting(8, &["逾越节", "passover", "pesach"], Rule::Jewish(1, 15)),
    on(&["篝火节", "lag baomer", "lag b'omer"], Rule::Jewish(2, 18)),
    lasting(2, &["七七节", "沙夫幼特节", "shavuot", "feast of weeks", "收获节", "新果实节"], Rule::Jewish(3, 6)),
    on(&["圣殿被毁日", "tisha b'av"], Rule::Jewish(5, 9)),
    on(&["clean monday", "orthodox ash monday", "orthodox shrove monday"], Rule::Orthodox(-48)),
    lasting(46, &["lent", "大斋节", "大斋期", "四旬期"], Rule::Easter(-46)),
    lasting(40, &["great lent", "great fast", "orthodox lent"], Rule::Orthodox(-48)),
    on(&["night of power", "laylat al-qadr", "盖德尔夜", "法令之夜"], Rule::Islamic(9, 27)),
    on(&["ashura", "阿舒拉节"], Rule::Islamic(1, 10)),
    on(&["epiphany", "three kings' day", "three kings day", "主显节"], Rule::Fixed(1, 6)),
    on(&["burns night"], Rule::Fixed(1, 25)),
    on(&["australia day"], Rule::Fixed(1, 26)),
    on(&["holocaust remembrance day"], Rule::Fixed(1, 27)),
    on(&["lincoln's birthday", "lincolns birthday"], Rule::Fixed(2, 12)),
    on(&["leap day"], Rule::Fixed(2, 29)),
    on(&["world poetry day", "nowruz", "norooz", "persian new year"], Rule::Fixed(3, 21)),
    on(&["world water day"], Rule::Fixed(3, 22)),
    on(&["world health day", "世界卫生日"], Rule::Fixed(4, 7)),
    on(&["siblings day", "sibling day", "national siblings day", "national sibling day"], Rule::Fixed(4, 10)),
    on(&["tax day"], Rule::Fixed(4, 15)),
    on(&["world book day", "世界读书日", "读书日", "st george's day", "saint george's day"], Rule::Fixed(4, 23)),
    on(&["anzac day", "澳新军团日"], Rule::Fixed(4, 25)),
    on(&["king's day", "koningsdag"], Rule::Fixed(4, 27)),
    on(&["law day", "lei day"], Rule::Fixed(5, 1)),
    on(&["star wars day"], Rule::Fixed(5, 4)),
    on(&["world environment day", "世界环境日"], Rule::Fixed(6, 5)),
    on(&["flag day"], Rule::Fixed(6, 14)),
    on(&["midsummer", "midsummer's day"], Rule::Fixed(6, 24)),
    on(&["canada day"], Rule::Fixed(7, 1)),
    on(&["bastille day", "巴士底日"], Rule::Fixed(7, 14)),
    on(&["assumption day", "the assumption", "圣母升天节"], Rule::Fixed(8, 15)),
    on(&["patriot day"], Rule::Fixed(9, 11)),
    on(&["world mental health day"], Rule::Fixed(10, 10)),
    on(&["remembrance day"], Rule::Fixed(11, 11)),
    on(&["saint nicholas day", "st nicholas day", "st. nicholas day"], Rule::Fixed(12, 6)),
    on(&["human rights day"], Rule::Fixed(12, 10)),
    on(&["pearl harbor day"], Rule::Fixed(12, 7)),
    on(&["kwanzaa"], Rule::Fixed(12, 26)),
    on(&["super bowl sunday"], Rule::Nth(2, 2, 6)),
    on(&["daylight saving start", "daylight savings start", "daylight saving start day", "daylight savings start day"], Rule::Nth(3, 2, 6)),
    on(&["daylight saving end", "daylight savings end", "daylight saving end day", "daylight savings end day"], Rule::Nth(11, 1, 6)),
    on(&["arbor day"], Rule::Nth(4, -1, 4)),
    on(&["military spouse day"], Rule::NthPlus(5, 2, 6, -2)),
    on(&["armed forces day"], Rule::Nth(5, 3, 5)),
    on(&["victoria day"], Rule::NthPlus(5, -1, 0, 0)),
    on(&["grandparents day", "grandparent's day", "grandparents' day", "national grandparents day"], Rule::NthPlus(9, 1, 0, 6)),
    on(&["canadian thanksgiving", "加拿大感恩节"], Rule::Nth(10, 2, 0)),
    on(&["giving tuesday"], Rule::NthPlus(11, 4, 3, 5)),
    on(&["small business saturday"], Rule::NthPlus(11, 4, 3, 2)),
    on(&["election day"], Rule::NthPlus(11, 1, 0, 1)),
    on(&["lazarus saturday"], Rule::Orthodox(-8)),
];

/// The names of holidays by their first character, each with its place in the list.
static BY_FIRST: LazyLock<HashMap<char, Vec<(usize, &'static str)>>> = LazyLock::new(|| {
    let mut names: HashMap<char, Vec<(usize, &'static str)>> = HashMap::new();
    for (number, holiday) in HOLIDAYS.iter().enumerate() {
        for name in holiday.names {
            names.entry(name.chars().next().unwrap_or(' ')).or_default().push((number, name));
        }
    }
    names
});

/// The names of holidays that begin with this character.
pub(crate) fn named(first: char) -> &'static [(usize, &'static str)] {
    BY_FIRST.get(&first).map_or(&[], Vec::as_slice)
}

/// The days of a holiday in a year, and the day after them. A Jewish one begins on the evening before its first day.
pub(crate) fn days(holiday: usize, year: i16) -> Option<Reading> {
    let Holiday { rule, days, .. } = HOLIDAYS.get(holiday)?;
    let first = first_day(*rule, year)?;
    let start = if matches!(rule, Rule::Jewish(..)) { first.yesterday().ok()? } else { first };
    Some(Reading::days(start, first.checked_add(days.days()).ok()?))
}

fn first_day(rule: Rule, year: i16) -> Option<Date> {
    let fixed = |month, day| Date::new(year, month, day).ok();
    let nth = |month, number, weekday| {
        let whole = months(year, month, 1)?;
        nth_weekday(whole.start?.date(), whole.end?.date(), number, weekday)
    };
    match rule {
        Rule::Fixed(month, day) => fixed(month, day),
        Rule::Nth(month, number, weekday) => nth(month, number, weekday),
        Rule::NthPlus(month, number, weekday, more) => {
            nth(month, number, weekday)?.checked_add(more.days()).ok()
        }
        Rule::Easter(more) => easter(year)?.checked_add(more.days()).ok(),
        Rule::Orthodox(more) => orthodox_easter(year)?.checked_add(more.days()).ok(),
        Rule::Lunar(month, day) => lunar::solar(year, month, day),
        Rule::LunarEve => lunar::eve(year),
        Rule::Islamic(month, day) => calendars::islamic(year, month, day),
        Rule::Jewish(month, day) => calendars::jewish(year, month, day),
        // Both move by a day or so: the sun's year against ours, in the twentieth and twenty-first centuries.
        Rule::Qingming => fixed(4, solar_term(year, 4.81, 5.59)),
        // The approximation is a day late in one year.
        Rule::WinterSolstice => fixed(12, solar_term(year, 21.94, 22.60) - i8::from(year == 2021)),
    }
}

/// The day of the month of a solar term, by the usual approximation.
fn solar_term(year: i16, this_century: f64, last_century: f64) -> i8 {
    let (base, of_century) =
        if year >= 2000 { (this_century, year - 2000) } else { (last_century, year.rem_euclid(100)) };
    (f64::from(of_century) * 0.2422 + base) as i8 - (of_century / 4) as i8
}

/// Easter Sunday of the western churches.
fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y.rem_euclid(19), y.div_euclid(100), y.rem_euclid(100));
    let (d, e) = (b / 4, b % 4);
    let g = (8 * b + 13) / 25;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let month = (h + l - 7 * m + 114) / 31;
    let day = (h + l - 7 * m + 114) % 31 + 1;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Easter Sunday of the eastern churches: by the Julian calendar, which is 13 days behind in our time.
fn orthodox_easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y.rem_euclid(4), y.rem_euclid(7), y.rem_euclid(19));
    let d = (19 * c + 15) % 30;
    let e = (2 * a + 4 * b - d + 34) % 7;
    let month = (d + e + 114) / 31;
    let day = (d + e + 114) % 31 + 1;
    let julian = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    julian.checked_add(13.days()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn on_day(name: &str, year: i16) -> Date {
        let holiday = HOLIDAYS.iter().position(|holiday| holiday.names.contains(&name)).unwrap();
        first_day(HOLIDAYS[holiday].rule, year).unwrap()
    }

    #[test]
    fn movable_days() {
        assert_eq!(on_day("easter", 2013), date(2013, 3, 31));
        assert_eq!(on_day("easter", 2026), date(2026, 4, 5));
        assert_eq!(on_day("orthodox easter", 2013), date(2013, 5, 5));
        assert_eq!(on_day("thanksgiving", 2016), date(2016, 11, 24));
        assert_eq!(on_day("母亲节", 2017), date(2017, 5, 14));
        assert_eq!(on_day("中秋", 2021), date(2021, 9, 21));
        assert_eq!(on_day("除夕", 2021), date(2022, 1, 31));
        assert_eq!(on_day("清明", 2021), date(2021, 4, 4));
        assert_eq!(on_day("清明", 2023), date(2023, 4, 5));
        assert_eq!(on_day("冬至", 2021), date(2021, 12, 21));
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut names: Vec<&str> = HOLIDAYS.iter().flat_map(|holiday| holiday.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
