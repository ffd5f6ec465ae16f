//! Summaries over HTTP: of sessions, of days, in the order of time, as a portrait, and as the answer to a question about
//! past talk. Without a model: by rules.

use jiff::SignedDuration;
use memoir_server::ServerSettings;
use memoir_testkit::{TestEngine, TestServer, until};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{Reply, column, got, refusal, say, say_all, whole_list};

const SPACE: &str = "/v1/spaces/user:a";

/// A talk about a cat's food on a day at 20:00 in Shanghai, in a session of its own.
fn talk(day: &str) -> Vec<Value> {
    let said = [
        ("user", "a", "我想给猫换猫粮，鸡肉的它过敏，吃了就吐。"),
        ("assistant", "小安", "可以试试三文鱼的猫粮，换粮要花一周，一点点加。"),
        ("user", "a", "好，那我周末去买三文鱼的，预算两百元。"),
        ("assistant", "小安", "记得先买小包装，观察三天再说。"),
    ];
    let message = |(n, (role, author, content)): (usize, &(&str, &str, &str))| {
        json!({"space": "user:a", "id": format!("{day}-{n}"), "session": format!("s-{day}"), "role": role,
               "author": author, "content": content, "said_at": format!("{day}T20:0{n}:00+08:00")})
    };
    said.iter().enumerate().map(message).collect()
}

/// With a talk on each of these days, all of them over.
async fn with_talks(days: &[&str]) -> TestServer {
    let server = TestServer::open().await;
    for day in days {
        say_all(&server, talk(day)).await;
    }
    server
}

async fn summarize(server: &TestServer, session: &str) -> Reply {
    server.send(Method::POST, &format!("{SPACE}/sessions/{session}/summarize"), json!({})).await
}

/// Runs what is asked for in the background until the days are there.
async fn fill(server: &TestServer, days: usize) {
    let (status, reply) = server.send(Method::POST, "/v1/upkeep/backfill?space=user:a", json!({})).await;
    assert_eq!((status.as_u16(), reply), (202, json!({"spaces": 1, "dry_run": false})));
    let workers = server.memoir.engine.start_workers();
    until("the days are summed up", async || {
        let jobs = got(server, "/v1/jobs").await;
        let filling = column(&jobs, "kind").contains(&"backfill");
        let list = got(server, &format!("{SPACE}/timeline")).await;
        (!filling && list["items"].as_array().unwrap().len() == days).then_some(())
    })
    .await;
    workers.drain(std::time::Duration::from_secs(5)).await;
}

async fn restless_with_talks(days: &[&str]) -> TestServer {
    let server = TestServer::start(TestEngine::restless(), ServerSettings::default(), true).await;
    for day in days {
        say_all(&server, talk(day)).await;
        let end = format!("{SPACE}/sessions/s-{day}/end");
        assert_eq!(server.send(Method::POST, &end, json!({})).await.0, 200);
    }
    server
}

#[tokio::test]
async fn a_session_is_summed_up_once_for_the_same_talk() {
    let server = with_talks(&["2026-01-06"]).await;
    let (status, made) = summarize(&server, "s-2026-01-06").await;
    assert_eq!((status.as_u16(), &made["made"], made.get("reason")), (200, &json!(true), None), "{made}");
    let summary = &made["summary"];
    assert_eq!(
        (&summary["level"], &summary["period"], &summary["messages"], &summary["sessions"]),
        (&json!("session"), &json!("s-2026-01-06"), &json!(4), &json!(1))
    );
    assert_eq!(
        (&summary["made_by"], &summary["made_at"], &summary["zone"], &summary["stale"]),
        (&json!("rules"), &json!("2026-01-07T04:00:00Z"), &json!("Asia/Shanghai"), &json!(false))
    );
    assert_eq!(summary["sources"], json!({"first_seq": 1, "last_seq": 4}), "{summary}");
    assert!(summary["text"].as_str().unwrap().contains("猫粮"), "{summary}");
    assert!(
        !summary["headline"].as_str().unwrap().is_empty()
            && !summary["topics"].as_array().unwrap().is_empty()
    );
    assert_eq!((summary.get("from"), summary.get("lines")), (None, None), "{summary}");
    server.memoir.clock.advance(SignedDuration::from_mins(1));
    let (_, again) = summarize(&server, "s-2026-01-06").await;
    assert_eq!((&again["made"], &again["summary"]), (&json!(false), summary));
    let more =
        json!({"space": "user:a", "session": "s-2026-01-06", "content": "对了，猫粮要无谷的，兽医说的。"});
    say(&server, more).await;
    let (_, grown) = summarize(&server, "s-2026-01-06").await;
    assert_eq!((&grown["made"], &grown["summary"]["messages"]), (&json!(true), &json!(5)), "{grown}");
    assert_eq!(grown["summary"]["sources"]["last_seq"], 5);
}

#[tokio::test]
async fn too_little_talk_is_said_to_be_too_little() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "session": "s", "content": "hi"})).await;
    let (status, reply) = summarize(&server, "s").await;
    let expected = json!({"summary": null, "reason": "too_little_talk", "made": false});
    assert_eq!((status.as_u16(), reply), (200, expected));
    assert_eq!(refusal(summarize(&server, "t").await), "404 not_found");
    let nobody = server.send(Method::POST, "/v1/spaces/user:b/sessions/s/summarize", json!({})).await;
    assert_eq!(refusal(nobody), "404 not_found");
}

#[tokio::test]
async fn a_sessions_messages_come_with_its_summary() {
    let server = with_talks(&["2026-01-06"]).await;
    let places = ["sessions/s-2026-01-06", "sessions/s-2026-01-06/window", "messages?session=s-2026-01-06"];
    for place in places {
        assert_eq!(got(&server, &format!("{SPACE}/{place}")).await.get("summary"), None, "{place}");
    }
    let summary = summarize(&server, "s-2026-01-06").await.1["summary"].clone();
    for place in places {
        assert_eq!(got(&server, &format!("{SPACE}/{place}")).await["summary"], summary, "{place}");
    }
    assert_eq!(got(&server, &format!("{SPACE}/messages")).await.get("summary"), None);
    let page = got(&server, &format!("{SPACE}/messages?session=s-2026-01-06&limit=2")).await;
    assert_eq!((page["items"].as_array().unwrap().len(), &page["summary"]), (2, &summary));
    let change = json!({"content": "我想给狗换狗粮，牛肉的它过敏。"});
    let (status, _) = server.send(Method::PATCH, &format!("{SPACE}/messages/2026-01-06-0"), change).await;
    assert_eq!(status, 200);
    assert_eq!(got(&server, &format!("{SPACE}/{}", places[0])).await["summary"]["stale"], true);
    server.send(Method::DELETE, &format!("{SPACE}/messages/2026-01-06-0"), json!({})).await;
    for place in places {
        assert_eq!(got(&server, &format!("{SPACE}/{place}")).await.get("summary"), None, "{place}");
    }
}

#[tokio::test]
async fn a_day_is_put_together_when_somebody_asks_for_it_and_each_sentence_names_its_messages() {
    let server = with_talks(&["2026-01-06"]).await;
    let day = got(&server, &format!("{SPACE}/days/2026-01-06")).await;
    assert_eq!(
        (&day["date"], &day["spoken"], &day["goes_on"], &day["ready"]),
        (&json!("2026-01-06"), &json!(true), &json!(false), &json!(false))
    );
    let summary = &day["summary"];
    assert_eq!((&summary["from"], &summary["to"]), (&json!("2026-01-06"), &json!("2026-01-06")));
    assert_eq!((&summary["level"], &summary["messages"]), (&json!("day"), &json!(4)));
    let lines = summary["lines"].as_array().unwrap();
    assert!(!lines.is_empty(), "{day}");
    for line in lines {
        let sources = line["sources"].as_array().unwrap();
        assert!(!sources.is_empty(), "{line}");
        assert!(sources.iter().all(|id| id.as_str().unwrap().starts_with("2026-01-06-")), "{line}");
    }
    let session = &day["sessions"][0];
    assert_eq!((&session["session"], &session["messages"]), (&json!("s-2026-01-06"), &json!(4)), "{day}");
    assert!(!session["text"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn a_day_says_whether_something_was_said_and_whether_it_is_over() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "hi"})).await;
    let silent = json!({"date": "2026-01-06", "spoken": false, "goes_on": false, "ready": false, "summary": null,
                        "sessions": []});
    assert_eq!(got(&server, &format!("{SPACE}/days/2026-01-06")).await, silent);
    let today = json!({"date": "2026-01-07", "spoken": true, "goes_on": true, "ready": false, "summary": null,
                       "sessions": []});
    assert_eq!(got(&server, &format!("{SPACE}/days/2026-01-07")).await, today);
    assert_eq!(got(&server, &format!("{SPACE}/days/9998-12-31")).await["goes_on"], true);
    assert_eq!(got(&server, &format!("{SPACE}/days/0001-01-01")).await["spoken"], false);
    for date in
        ["yesterday", "2026-1-7", "2026-02-30", "20260107", "2026-01-07T10:00:00", "9999-01-01", "%00"]
    {
        let reply = server.get(&format!("{SPACE}/days/{date}")).await;
        assert_eq!(refusal(reply), "422 invalid date", "{date}");
    }
    assert_eq!(refusal(server.get("/v1/spaces/user:b/days/2026-01-07").await), "404 not_found");
}

#[tokio::test]
async fn summaries_are_listed_in_the_order_of_time_page_by_page() {
    let days = ["2025-12-29", "2025-12-30", "2026-01-02", "2026-01-05", "2026-01-06"];
    let server = restless_with_talks(&days).await;
    fill(&server, days.len()).await;
    for limit in [1, 2, 5, 50] {
        let list = whole_list(&server, &format!("{SPACE}/timeline"), limit).await;
        let periods: Vec<&str> = list.iter().map(|item| item["period"].as_str().unwrap()).collect();
        assert_eq!(periods, days, "{limit}");
    }
    let periods = async |query: &str| {
        let list = got(&server, &format!("{SPACE}/timeline?{query}")).await;
        column(&list, "period").into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(periods("from=2025-12-30&to=2026-01-02").await, ["2025-12-30", "2026-01-02"]);
    assert_eq!(periods("from=2026-01-06").await, ["2026-01-06"]);
    assert_eq!(periods("grain=week").await, ["2025-12-29"]);
    assert_eq!(periods("grain=month").await, ["2025-12-01"]);
    let week = got(&server, &format!("{SPACE}/timeline?grain=week")).await["items"][0].clone();
    assert_eq!((&week["from"], &week["to"]), (&json!("2025-12-29"), &json!("2026-01-04")));
    let sessions = periods("grain=session&limit=3").await;
    assert_eq!(sessions, ["s-2025-12-29", "s-2025-12-30", "s-2026-01-02"]);
    // Today's talks have no day yet.
    for nth in 0..3 {
        for text in [
            "我想买猫粮，家里那袋快吃完了，这次想换无谷的牌子。",
            "再买一个猫抓板，旧的已经被抓坏了，最好是剑麻的。",
            "预算一共两百元，周末之前要送到。",
        ] {
            say(&server, json!({"space": "user:a", "session": format!("t{nth}"), "content": text})).await;
        }
        assert_eq!(summarize(&server, &format!("t{nth}")).await.1["made"], true);
    }
    let mut expected: Vec<String> = days.iter().map(|day| format!("s-{day}")).collect();
    expected.extend((0..3).map(|nth| format!("t{nth}")));
    for limit in [1, 2, 3, 50] {
        let list = whole_list(&server, &format!("{SPACE}/timeline?grain=session"), limit).await;
        let periods: Vec<&str> = list.iter().map(|item| item["period"].as_str().unwrap()).collect();
        assert_eq!(periods, expected, "{limit}");
    }
    let day = got(&server, &format!("{SPACE}/days/2026-01-02")).await;
    assert_eq!(day["ready"], true);
}

#[tokio::test]
async fn what_makes_no_sense_of_a_timeline_is_refused() {
    let server = with_talks(&["2026-01-06"]).await;
    let next = {
        let page = got(&server, &format!("{SPACE}/messages?limit=1")).await;
        page["next"].as_str().unwrap().to_owned()
    };
    for (query, expected) in [
        ("from=yesterday", "422 invalid from"),
        ("to=2026-13-01", "422 invalid to"),
        ("from=2026-01-02&to=2026-01-01", "422 invalid to"),
        ("grain=year", "422 invalid grain"),
        ("grain=background", "422 invalid grain"),
        ("limit=0", "422 invalid limit"),
        ("limit=501", "422 invalid limit"),
        ("cursor=nonsense", "400 invalid_cursor cursor"),
        (&format!("cursor={next}"), "400 invalid_cursor cursor"),
        (&format!("grain=session&cursor={next}"), "400 invalid_cursor cursor"),
        ("level=day", "422 invalid level"),
    ] {
        assert_eq!(refusal(server.get(&format!("{SPACE}/timeline?{query}")).await), expected, "{query}");
    }
    assert_eq!(refusal(server.get("/v1/spaces/user:b/timeline").await), "404 not_found");
    let empty = got(&server, &format!("{SPACE}/timeline")).await;
    assert_eq!(empty, json!({"items": [], "next": null}));
}

#[tokio::test]
async fn a_portrait_has_four_views_and_each_line_its_messages() {
    let server = restless_with_talks(&["2026-01-05", "2026-01-06"]).await;
    let blank = json!({"situation": [], "background": [], "topics": [], "principles": []});
    assert_eq!(got(&server, &format!("{SPACE}/portrait")).await, blank);
    fill(&server, 2).await;
    let portrait = got(&server, &format!("{SPACE}/portrait")).await;
    let situation = portrait["situation"].as_array().unwrap();
    let dates: Vec<&str> = situation.iter().map(|line| line["date"].as_str().unwrap()).collect();
    assert_eq!(dates, ["2026-01-06", "2026-01-05"], "the newest first");
    for line in situation.iter().chain(portrait["background"].as_array().unwrap()) {
        assert!(!line["text"].as_str().unwrap().is_empty(), "{line}");
        let sources = line["sources"].as_array().unwrap();
        assert!(!sources.is_empty() && sources.iter().all(Value::is_string), "{line}");
    }
    assert!(!portrait["background"].as_array().unwrap().is_empty(), "{portrait}");
    assert_eq!((&portrait["topics"], &portrait["principles"]), (&json!([]), &json!([])));
    assert_eq!(refusal(server.get("/v1/spaces/user:b/portrait").await), "404 not_found");
}

#[tokio::test]
async fn a_context_says_what_came_of_a_question_about_past_talk() {
    let server = with_talks(&["2026-01-06"]).await;
    let history = async |message: &str| {
        let body = json!({"space": "user:a", "message": message});
        let (status, reply) = server.send(Method::POST, "/v1/context", body).await;
        assert_eq!(status, 200, "{reply}");
        reply.get("history").cloned()
    };
    assert_eq!(
        history("昨天我们聊了什么？").await.unwrap(),
        json!({"from": "2026-01-06", "to": "2026-01-06", "words": "昨天", "found": "made", "needs_detail": false})
    );
    let particular = history("昨天说的猫粮预算具体是多少钱？").await.unwrap();
    assert_eq!(
        (&particular["needs_detail"], &particular["reason"]),
        (&json!(true), &json!("asks_for_particulars"))
    );
    let nothing = history("what did we talk about last Friday?").await.unwrap();
    assert_eq!((&nothing["found"], &nothing["from"]), (&json!("nothing"), &json!("2026-01-02")));
    assert_eq!(history("猫粮买哪种好？").await, None);
}

#[tokio::test]
async fn what_would_be_filled_is_counted_without_being_filled() {
    let server = with_talks(&["2026-01-05", "2026-01-06"]).await;
    let backfill = async |query: &str| {
        server.send(Method::POST, &format!("/v1/upkeep/backfill{query}"), json!({})).await
    };
    let (status, reply) = backfill("?space=user:a&dry_run=true").await;
    assert_eq!((status.as_u16(), &reply["spaces"], &reply["dry_run"]), (200, &json!(1), &json!(true)));
    assert!(reply["would"]["made"].as_u64().unwrap() >= 2, "{reply}");
    let (_, later) = backfill("?space=user:a&dry_run=true&since=2026-01-06").await;
    assert!(later["would"]["seen"].as_u64().unwrap() < reply["would"]["seen"].as_u64().unwrap(), "{later}");
    assert_eq!(got(&server, &format!("{SPACE}/timeline")).await["items"], json!([]));
    assert!(!column(&got(&server, "/v1/jobs").await, "kind").contains(&"backfill"));
    for (query, expected) in [
        ("?dry_run=true", "422 invalid space"),
        ("?dry_run=maybe", "422 invalid dry_run"),
        ("?since=lately", "422 invalid since"),
        ("?space=nobody", "422 invalid space"),
        ("?space=user:b", "404 not_found"),
        ("?spaces=user:a", "422 invalid spaces"),
    ] {
        assert_eq!(refusal(backfill(query).await), expected, "{query}");
    }
    let (status, all) = backfill("").await;
    assert_eq!((status.as_u16(), all), (202, json!({"spaces": 1, "dry_run": false})));
}
