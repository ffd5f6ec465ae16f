//! `memoir-bench recall`: what a context costs over HTTP, by stage, beside the index query and the vector scan alone.

mod stand_in;

use anyhow::{Context, Result, ensure};
use jiff::SignedDuration;
use memoir_embed::{Embedder, LocalEmbedder, LocalOptions, Precision};
use memoir_engine::{Embedders, Engine, EngineSettings, Models, RecallRequest, SearchWork, SystemClock};
use memoir_index::{Filter, Query, RowMeta, SpaceIndex, Terms, Vectors};
use memoir_server::{App, Server, ServerSettings};
use memoir_sqlite::{Options, SqliteStore};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use self::stand_in::StandIn;
use crate::Common;
use crate::client::Client;
use crate::corpus::Corpus;
use crate::memoir;
use crate::report::{Binding, Report, Table, count};
use crate::search::population::Population;
use crate::search::product::{fill, space};
use crate::search::queries::QUERIES;
use crate::stats::{median, percentile};
use crate::usage::machine;

/// How many times the floor a context may take, HTTP included and the model that embeds the question not.
const MOST_TIMES_FLOOR: f64 = 4.0;
/// How many hits the floor asks for.
const HITS: usize = 10;

/// `memoir-bench recall`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    /// The folder of a local model; without it only a stand-in that costs nothing is measured.
    #[arg(long, value_name = "FOLDER")]
    embedder: Option<PathBuf>,
    /// How many messages the spaces have that are asked.
    #[arg(long, value_delimiter = ',', default_values_t = [5_000, 50_000])]
    messages: Vec<usize>,
    /// How many other spaces there are.
    #[arg(long, default_value_t = 1_000)]
    spaces: usize,
    /// How many messages each of them has.
    #[arg(long, default_value_t = 20)]
    others: usize,
    /// How often every question is asked.
    #[arg(long, default_value_t = 15)]
    slices: usize,
}

/// What compares meanings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// Nothing: words alone.
    None,
    /// An embedder that costs nothing.
    StandIn,
    /// The local model.
    Local,
}

impl Meaning {
    const fn name(self) -> &'static str {
        match self {
            Meaning::None => "words",
            Meaning::StandIn => "words and vectors",
            Meaning::Local => "words, vectors, local model",
        }
    }
}

/// What was measured of one way of asking.
struct Measured {
    messages: usize,
    meaning: Meaning,
    hot: Vec<f64>,
    cold: Vec<f64>,
    floor: Vec<f64>,
    /// Milliseconds of each stage, in every request.
    stages: BTreeMap<String, Vec<f64>>,
}

/// Measures.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let about = machine();
    let quick = args.common.quick;
    let (sizes, spaces, slices) =
        if quick { (vec![500], 10, 2) } else { (args.messages.clone(), args.spaces, args.slices.max(1)) };
    let mut measured = Vec::new();
    let mut same_work = true;
    for messages in sizes {
        let corpus = Corpus::new(args.common.seed);
        let among = Population { corpus, messages, spaces, others: args.others };
        let alone = Population { spaces: 0, ..among };
        let mut ways = vec![Meaning::None, Meaning::StandIn];
        ways.extend(args.embedder.as_ref().map(|_| Meaning::Local));
        for meaning in ways {
            let folder = args.common.folder()?;
            let store = Asked::build(folder.path(), "among", among, meaning, args.embedder.as_deref())?;
            if meaning == Meaning::None {
                let lonely = Asked::build(folder.path(), "alone", alone, meaning, None)?;
                same_work &= store.works()? == lonely.works()?;
            }
            measured.push(store.measure(messages, corpus, slices)?);
            eprintln!("{} messages, {}: done", count(messages as f64), meaning.name());
        }
    }
    let notes = vec![
        about,
        format!(
            "a space among {} others of {} messages; {} questions, {slices} interleaved slices of each; contexts are not \
             remembered (recall.cache = 0), vectors of questions are, except with the local model",
            count(spaces as f64),
            args.others,
            QUERIES.len(),
        ),
        "floor: the ten best by BM25, and the ten nearest vectors where there are vectors, in memory and nothing else".into(),
        "cold: the store opened anew, then the first context".into(),
    ];
    Ok(report(quick, notes, &measured, same_work))
}

/// A store that is asked over HTTP.
struct Asked {
    path: PathBuf,
    runtime: Runtime,
    meaning: Meaning,
    embedder: Option<Arc<dyn Embedder>>,
}

/// A server that runs until it is dropped.
struct Running {
    address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

impl Asked {
    fn build(
        folder: &Path,
        name: &str,
        population: Population,
        meaning: Meaning,
        model: Option<&Path>,
    ) -> Result<Self> {
        let embedder: Option<Arc<dyn Embedder>> = match meaning {
            Meaning::None => None,
            Meaning::StandIn => Some(Arc::new(StandIn::new())),
            Meaning::Local => {
                let options = LocalOptions { precision: Precision::Int8, ..LocalOptions::default() };
                Some(Arc::new(LocalEmbedder::open(model.context("no model")?, &options)?))
            }
        };
        let asked =
            Asked { path: folder.join(format!("{name}.db")), runtime: memoir::runtime()?, meaning, embedder };
        let searched = space(0)?;
        asked.runtime.block_on(async {
            let engine = asked.engine()?;
            fill(&engine, population, &searched).await?;
            let workers = engine.start_workers();
            memoir::done(&engine, &searched, "embed").await?;
            workers.drain(Duration::from_secs(60)).await;
            anyhow::Ok(())
        })?;
        Ok(asked)
    }

    fn engine(&self) -> Result<Engine> {
        let store = Arc::new(SqliteStore::open(&Options::at(&self.path))?);
        let models = match &self.embedder {
            Some(embedder) => Models::from(Embedders::new(embedder.clone(), Vec::new())?),
            None => Models::none(),
        };
        let settings = EngineSettings { context_cache: SignedDuration::ZERO, ..EngineSettings::default() };
        Ok(Engine::with_models(store, Arc::new(SystemClock), settings, models))
    }

    /// What finding touches, for every question.
    fn works(&self) -> Result<Vec<SearchWork>> {
        self.runtime.block_on(async {
            let engine = self.engine()?;
            let mut works = Vec::new();
            for question in QUERIES {
                let request =
                    RecallRequest { message: (*question).into(), limit: HITS, ..RecallRequest::default() };
                works.push(engine.recall(&memoir::caller(), &space(0)?, request).await?.work);
            }
            Ok(works)
        })
    }

    fn serve(&self) -> Result<Running> {
        let engine = self.engine()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let app = App::new(engine, ServerSettings::default(), true);
        let address = self.runtime.block_on(async {
            let bound = Server::bind(app, SocketAddr::from(([127, 0, 0, 1], 0))).await?;
            let address = bound.address()?;
            tokio::spawn(bound.run(async move { drop(stopped.await) }, Duration::from_secs(5)));
            anyhow::Ok(address)
        })?;
        Ok(Running { address, _stop: stop })
    }

    fn measure(&self, messages: usize, corpus: Corpus, slices: usize) -> Result<Measured> {
        let floor = Floor::new(messages, corpus, self.meaning != Meaning::None)?;
        let mut measured = Measured {
            messages,
            meaning: self.meaning,
            hot: Vec::new(),
            cold: Vec::new(),
            floor: Vec::new(),
            stages: BTreeMap::new(),
        };
        let server = self.serve()?;
        let mut client = Client::connect(server.address)?;
        for slice in 0..=slices {
            for (nth, question) in QUERIES.iter().enumerate() {
                // The local model has to embed: no question is the same twice.
                let message = match self.meaning {
                    Meaning::Local => format!("{question} {}", slice * QUERIES.len() + nth),
                    _ => (*question).to_owned(),
                };
                let (spent, reply) = ask(&mut client, &message)?;
                let beside = floor.ask(question);
                if slice > 0 {
                    measured.hot.push(spent);
                    measured.floor.push(beside);
                    for (stage, spent) in reply["timings_ms"].as_object().into_iter().flatten() {
                        let spent = spent.as_f64().unwrap_or_default();
                        measured.stages.entry(stage.clone()).or_default().push(spent);
                    }
                }
            }
        }
        drop(server);
        for question in QUERIES.iter().take(slices.min(5)) {
            let server = self.serve()?;
            measured.cold.push(ask(&mut Client::connect(server.address)?, question)?.0);
        }
        Ok(measured)
    }
}

/// Asks for a context: how many milliseconds it took, and what it was.
fn ask(client: &mut Client, message: &str) -> Result<(f64, Value)> {
    let body = json!({"space": space(0)?.to_string(), "message": message, "budget": 2000}).to_string();
    let start = Instant::now();
    let reply = client.post("/v1/context", &body)?;
    let spent = start.elapsed().as_secs_f64() * 1e3;
    let reply: Value = serde_json::from_slice(reply)?;
    ensure!(reply["blocks"].is_array(), "a context without blocks: {reply}");
    Ok((spent, reply))
}

/// The same messages in memory, and nothing around them.
struct Floor {
    index: SpaceIndex,
    vectors: Option<Vectors>,
}

impl Floor {
    fn new(messages: usize, corpus: Corpus, with_vectors: bool) -> Result<Self> {
        let mut index = SpaceIndex::new();
        let mut vectors = with_vectors.then(|| Vectors::new(StandIn::vector("").len()));
        for seq in 1..=messages as u64 {
            let text = corpus.message(seq - 1);
            let meta = RowMeta { said_at: seq as i64 * 20_000_000, author: 1, role: 0, session: seq / 40 };
            index.upsert(seq, meta, &Terms::of(&[&text]));
            if let Some(vectors) = &mut vectors {
                vectors.upsert(seq, &StandIn::vector(&text))?;
            }
        }
        Ok(Floor { index, vectors })
    }

    /// Milliseconds.
    fn ask(&self, question: &str) -> f64 {
        let vector = StandIn::vector(question);
        let start = Instant::now();
        let found = self.index.search(&Query::parse(question), &Filter::default(), HITS).hits.len();
        let near = self.vectors.as_ref().map_or(0, |vectors| vectors.nearest(&vector, HITS, |_| true).len());
        std::hint::black_box((found, near));
        start.elapsed().as_secs_f64() * 1e3
    }
}

fn report(quick: bool, notes: Vec<String>, measured: &[Measured], same_work: bool) -> Report {
    let ms = |value: f64| format!("{value:.2}");
    let head = ["messages", "compared", "floor p50 ms", "p50 ms", "p99 ms", "times the floor", "cold p50 ms"];
    let mut table = Table::new(&head);
    let mut stages = Table::new(&["messages", "compared", "stage", "p50 ms", "p99 ms"]);
    let mut bindings = vec![Binding::at_least(
        "the same work with and without other spaces",
        f64::from(u8::from(same_work)),
        1.0,
    )];
    let mut figures = Vec::new();
    for one in measured {
        let ratio = median(&one.hot) / median(&one.floor);
        let (messages, compared) = (count(one.messages as f64), one.meaning.name());
        table.row(vec![
            messages.clone(),
            compared.to_owned(),
            ms(median(&one.floor)),
            ms(median(&one.hot)),
            ms(percentile(&one.hot, 0.99)),
            format!("{ratio:.2}"),
            ms(median(&one.cold)),
        ]);
        for (stage, spent) in one.stages.iter().filter(|(_, spent)| median(spent) >= 0.005) {
            let row = vec![
                messages.clone(),
                compared.to_owned(),
                stage.clone(),
                ms(median(spent)),
                ms(percentile(spent, 0.99)),
            ];
            stages.row(row);
        }
        if one.meaning == Meaning::StandIn {
            let name = format!("times the floor, {messages} messages, {compared}");
            bindings.push(Binding::at_most(name, ratio, MOST_TIMES_FLOOR));
        }
        figures.push(json!({"messages": one.messages, "compared": compared, "floor_p50_ms": median(&one.floor),
            "p50_ms": median(&one.hot), "p99_ms": percentile(&one.hot, 0.99), "cold_p50_ms": median(&one.cold)}));
    }
    Report { command: "recall", quick, notes, tables: vec![table, stages], figures: json!(figures), bindings }
}
