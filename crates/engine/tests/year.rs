//! A year of 200 people in twelve zones, and what is left of it: every day with enough talk has one summary that fits.

#![expect(clippy::unwrap_used, reason = "these are tests")]

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use memoir_engine::{
    BackfillRequest, Clock, Edit, Embedders, Engine, EngineSettings, Models, NewMessage, SpacePatch, Workers,
};
use memoir_llm::{Registry, RegistryConfig, Surroundings};
use memoir_model::{GeneratedId, JobState, Message, MessageState, Speaker, SummaryLevel};
use memoir_testkit::{
    Act, DoorStore, FakeModels, TestEngine, author, caller, message, message_id, messages, remember, space,
    until,
};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

const PEOPLE: usize = 200;
const ZONES: [&str; 12] = [
    "Asia/Shanghai",
    "America/New_York",
    "Europe/Berlin",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Adelaide",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Africa/Cairo",
    "America/Sao_Paulo",
    "Pacific/Apia",
    "UTC",
];
const BEGIN: &str = "2026-01-05T00:00:00Z";

/// Something that happens.
#[derive(Clone)]
enum Happening {
    /// Somebody talks for a while, beginning now.
    Talk { session: usize, turns: usize },
    /// Messages of days ago come in.
    Import { days_ago: i64, session: usize },
    /// One of the last messages gets other words.
    Edit,
    /// One of them is erased.
    Erase,
    /// The one moves.
    Move { zone: &'static str },
}

struct World {
    memoir: TestEngine,
    doors: Arc<DoorStore>,
    models: FakeModels,
    engine: Engine,
    workers: Option<Workers>,
    random: StdRng,
    /// By person: the ids of the messages so far.
    said: Vec<Vec<String>>,
    /// Who had a message erased.
    erased: BTreeSet<usize>,
}

fn person(nth: usize) -> memoir_model::SpaceId {
    space(&format!("user:p{nth}"))
}

fn moment(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn days(n: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * n)
}

impl World {
    async fn begin() -> World {
        let settings = EngineSettings {
            job_poll: SignedDuration::from_millis(1),
            // The clock leaps while jobs run, and that must not take their leases from them.
            job_lease: SignedDuration::from_hours(30),
            ..EngineSettings::default()
        };
        let memoir = TestEngine::with(settings, |_| {});
        memoir.clock.set(BEGIN);
        let doors = DoorStore::over(memoir.store.clone());
        let models = FakeModels::start().await;
        models.always("writer", Act::SumsUp);
        let engine = engine(&memoir, &doors, &models);
        let workers = Some(engine.start_workers());
        let said = vec![Vec::new(); PEOPLE];
        World {
            memoir,
            doors,
            models,
            engine,
            workers,
            random: StdRng::seed_from_u64(7),
            said,
            erased: BTreeSet::new(),
        }
    }

    /// Takes the server down; what runs is cut off.
    async fn crash(&mut self) {
        if let Some(workers) = self.workers.take() {
            workers.drain(Duration::ZERO).await;
        }
    }

    /// A new process on the same store.
    fn restart(&mut self) {
        self.engine = engine(&self.memoir, &self.doors, &self.models);
        self.workers = Some(self.engine.start_workers());
    }

    async fn settled(&self) {
        until("nothing is due", async || {
            let mut after: Option<GeneratedId> = None;
            loop {
                let jobs = self.engine.jobs(&caller(), None, None, after, 1_000).await.unwrap();
                let now = self.engine.now();
                if jobs.iter().any(|job| job.run_at <= now || job.state != JobState::Waiting) {
                    return None;
                }
                match jobs.last() {
                    Some(last) if jobs.len() == 1_000 => after = Some(last.id),
                    _ => return Some(()),
                }
            }
        })
        .await;
    }

    async fn let_happen(&mut self, who: usize, what: &Happening) {
        let now = self.engine.now();
        match what {
            Happening::Talk { session, turns } => {
                // Minute by minute: some talks go on over midnight.
                let talk = (0..*turns).map(|turn| {
                    self.turn(
                        who,
                        *session,
                        turn,
                        now.saturating_add(SignedDuration::from_mins(turn as i64 * 7)).unwrap(),
                    )
                });
                let talk: Vec<NewMessage> = talk.collect();
                self.memoir.clock.advance(SignedDuration::from_mins(*turns as i64 * 7));
                self.tell(who, talk).await;
            }
            Happening::Import { days_ago, session } => {
                let then = now.saturating_sub(days(*days_ago)).unwrap();
                let talk = (0..4).map(|turn| {
                    self.turn(
                        who,
                        *session,
                        turn,
                        then.saturating_add(SignedDuration::from_mins(turn as i64)).unwrap(),
                    )
                });
                let talk = talk.collect();
                self.tell(who, talk).await;
            }
            Happening::Edit => {
                if let Some(id) = self.some_message(who) {
                    let edit = Edit {
                        content: Some(format!("其实我想说的是，{id}不对，应该改成别的安排。")),
                        ..Edit::default()
                    };
                    // It may have been erased.
                    self.engine.edit_message(&caller(), &person(who), &message_id(&id), edit).await.ok();
                }
            }
            Happening::Erase => {
                if let Some(id) = self.some_message(who) {
                    self.erased.insert(who);
                    self.engine.erase_message(&caller(), &person(who), &message_id(&id)).await.unwrap();
                }
            }
            Happening::Move { zone } => {
                let patch = SpacePatch { zone: Some(zone.parse().unwrap()), ..SpacePatch::default() };
                self.engine.put_space(&caller(), &person(who), patch).await.unwrap();
            }
        }
    }

    fn some_message(&mut self, who: usize) -> Option<String> {
        let said = &self.said[who];
        (!said.is_empty()).then(|| said[self.random.random_range(0..said.len())].clone())
    }

    fn turn(&self, who: usize, session: usize, turn: usize, said_at: Timestamp) -> NewMessage {
        let id = format!("p{who}-s{session}-t{turn}");
        let words = match turn % 3 {
            0 => format!("{id}：我今天去了第{session}家店，买了一本书，花了{}元，想送给妹妹。", 20 + turn),
            1 => format!("{id}: 听起来不错，她一定会喜欢的，记得写一张卡片。"),
            _ => {
                format!("{id}: I also booked a train to Hangzhou for the trip number {session}, seat {turn}.")
            }
        };
        let (role, author) = match turn % 3 {
            1 => (Speaker::Assistant, Some(author("assistant"))),
            _ => (Speaker::User, None),
        };
        NewMessage { said_at: Some(said_at), role, author, ..message(&person(who).to_string(), &id, &words) }
    }

    async fn tell(&mut self, who: usize, talk: Vec<NewMessage>) {
        let ids = talk.iter().map(|said| said.id.clone().unwrap().to_string());
        self.said[who].extend(ids);
        remember(&self.engine, talk).await;
    }
}

fn engine(memoir: &TestEngine, doors: &Arc<DoorStore>, models: &FakeModels) -> Engine {
    let config: RegistryConfig = serde_json::from_value(json!({
        "roles": { "summary": ["one:writer"] },
        "providers": [{ "name": "one", "kind": "other", "base_url": models.url() }],
    }))
    .unwrap();
    let registry = Some(Registry::new(&config, &Surroundings::real()).unwrap());
    let models = Models { embedders: Embedders::none(), registry, reranker: None };
    Engine::with_models(
        doors.clone(),
        Arc::new(memoir.clock.clone()),
        memoir.engine.settings().clone(),
        models,
    )
}

/// What happens in the year, in the order of time. The last person is silent from spring on.
fn plan(random: &mut StdRng) -> Vec<(Timestamp, usize, Happening)> {
    let begin = moment(BEGIN);
    let mut plan = Vec::new();
    for who in 0..PEOPLE {
        let mut session = 0;
        let mut next = |random: &mut StdRng, most: i64| {
            session += 1;
            let minutes = random.random_range(0..most * 24 * 60);
            (begin.saturating_add(SignedDuration::from_mins(minutes)).unwrap(), session)
        };
        let most = if who == PEOPLE - 1 { 60 } else { 360 };
        for _ in 0..random.random_range(4..9) {
            let (at, session) = next(random, most);
            plan.push((at, who, Happening::Talk { session, turns: random.random_range(1..7) }));
            if random.random_bool(0.3) {
                // A second talk on the same day.
                let later = at.saturating_add(SignedDuration::from_hours(2)).unwrap();
                plan.push((later, who, Happening::Talk { session: session + 1_000, turns: 3 }));
            }
        }
        if random.random_bool(0.3) {
            let (at, session) = next(random, most);
            plan.push((at, who, Happening::Import { days_ago: random.random_range(1..40), session }));
        }
        if random.random_bool(0.3) {
            plan.push((next(random, most).0, who, Happening::Edit));
        }
        if random.random_bool(0.2) {
            plan.push((next(random, most).0, who, Happening::Erase));
        }
        if random.random_bool(0.15) {
            let zone = ZONES[random.random_range(0..ZONES.len())];
            plan.push((next(random, most).0, who, Happening::Move { zone }));
        }
    }
    plan.sort_by_key(|(at, who, _)| (*at, *who));
    plan
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_year_every_day_with_enough_talk_has_one_summary_that_fits() {
    let mut world = World::begin().await;
    for who in 0..PEOPLE {
        let patch =
            SpacePatch { zone: Some(ZONES[who % ZONES.len()].parse().unwrap()), ..SpacePatch::default() };
        world.engine.put_space(&caller(), &person(who), patch).await.unwrap();
    }
    let plan = plan(&mut StdRng::seed_from_u64(11));
    let begin = moment(BEGIN);
    let mut happened = plan.into_iter().peekable();
    let silent = world.engine.space(&caller(), &person(PEOPLE - 1)).await.unwrap().no;
    let (mut in_flight, mut reads_of_silent) = (0, None);
    for day in 0..372i64 {
        let night = begin.saturating_add(days(day + 1)).unwrap();
        if day == 180 {
            // The server is down for two days; what was said then comes in afterwards.
            world.crash().await;
        }
        if day == 182 {
            world.restart();
        }
        let down = (180..182).contains(&day);
        while !down && happened.peek().is_some_and(|(at, ..)| *at < night) {
            let Some((at, who, what)) = happened.next() else { break };
            if at > world.memoir.clock.now() {
                world.memoir.clock.set(&at.to_string());
            }
            world.let_happen(who, &what).await;
        }
        if night > world.memoir.clock.now() {
            world.memoir.clock.set(&night.to_string());
        }
        if day == 90 {
            // A crash in the middle of the night's work.
            let before = world.models.calls("writer");
            until("the work has begun", async || (world.models.calls("writer") > before).then_some(())).await;
            world.crash().await;
            in_flight = world.models.most_at_once();
            // Their leases run out.
            world.memoir.clock.advance(SignedDuration::from_hours(31));
            world.restart();
        }
        if !down {
            world.settled().await;
        }
        // From summer on the silent one must not be looked at: what was due is done.
        if day == 200 {
            reads_of_silent = Some(world.doors.reads_of(silent));
        }
    }
    assert_eq!(Some(world.doors.reads_of(silent)), reads_of_silent, "somebody who is silent costs nothing");

    let now = world.engine.now();
    let settings = world.engine.settings().clone();
    let mut summed_up = 0;
    for who in 0..PEOPLE {
        let home = world.engine.space(&caller(), &person(who)).await.unwrap();
        let mut by_day: BTreeMap<Date, Vec<Message>> = BTreeMap::new();
        for message in messages(&world.engine, &person(who)).await {
            let is_talk = matches!(message.role, Speaker::User | Speaker::Assistant);
            if message.state == MessageState::Active && is_talk {
                by_day.entry(message.local_date()).or_default().push(message);
            }
        }
        let stored =
            world.engine.store().summaries(&home.key(), SummaryLevel::Day, "", "9", 10_000).await.unwrap();
        let mut stored: BTreeMap<Date, _> =
            stored.into_iter().map(|summary| (summary.period.days().unwrap().0, summary)).collect();
        for (day, said) in by_day {
            let characters: usize = said.iter().map(|message| message.content.chars().count()).sum();
            let enough = said.len() >= settings.layer_messages && characters >= settings.layer_characters;
            let over = day < home.zones.local(now).date;
            let summary = stored.remove(&day);
            assert_eq!(summary.is_some(), enough && over, "person {who}, {day}");
            if let Some(summary) = summary {
                assert!(!summary.stale, "person {who}, {day}");
                assert_eq!(summary.messages as usize, said.len(), "person {who}, {day}");
                assert_eq!(summary.made_by, "writer", "person {who}, {day}");
                summed_up += 1;
            }
        }
        assert!(stored.is_empty(), "person {who} has summaries of days without talk: {:?}", stored.keys());
        // Whoever looks for something that is missing or does not fit finds nothing.
        let fill = BackfillRequest { dry_run: true, ..BackfillRequest::default() };
        let found = world.engine.backfill(&caller(), &person(who), fill, &mut |_| {}).await.unwrap();
        assert_eq!(found.made, 0, "person {who}: {found:?}");
    }
    assert!(summed_up > 500, "{summed_up} days");

    let mut asked: HashMap<String, usize> = HashMap::new();
    for request in world.models.requests_for("writer") {
        *asked.entry(request.body["messages"].to_string()).or_default() += 1;
    }
    // What a model was answering when the process died nobody has heard. And with an erased message goes every text that
    // may hold its words, even if it comes out the same when it is written again.
    let of_erased = |prompt: &str| world.erased.iter().any(|who| prompt.contains(&format!("p{who}-")));
    let twice: Vec<_> = asked.iter().filter(|(prompt, times)| **times > 1 && !of_erased(prompt)).collect();
    assert!(twice.len() <= in_flight, "{} of {} were asked twice: {twice:?}", twice.len(), asked.len());
}
