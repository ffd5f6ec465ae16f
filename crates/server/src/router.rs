use axum::http::header;
use axum::routing::{MethodFilter, get};
use axum::{Json, Router, middleware};
use memoir_model::{Error, ErrorCode};
use serde_json::Value;

use crate::app::App;
use crate::failure::Failure;
use crate::handlers::{
    answer, audit, context, days, health, jobs, keys, messages, models, portrait, recall, sessions, spaces,
    stats, tenants, timeline, upkeep,
};
use crate::surface::{Needs, Surface};
use crate::wire::{
    AnswerBody, AnswerView, AuditQuery, AuditView, BackfillQuery, BackfillReply, ContextBody, ContextView,
    DayReply, EndRequest, JobQuery, JobView, KeyIssued, KeyRequest, KeyView, KeysQuery, ListQuery,
    MessageDetailView, MessagePage, MessagePatch, MessageView, MessagesQuery, ModelView, Page, PortraitView,
    RecallBody, RecallView, ReembedQuery, ReembedReply, RememberReply, RememberRequest, SearchQuery,
    SearchReply, SessionRequest, SessionView, SpaceRequest, SpaceView, StatsView, SummarizeReply,
    SummaryView, TenantRequest, TenantView, TimelineQuery, WindowQuery, WindowReply,
};
use crate::{docs, observe};

const GET: MethodFilter = MethodFilter::GET;
const POST: MethodFilter = MethodFilter::POST;
const PUT: MethodFilter = MethodFilter::PUT;
const PATCH: MethodFilter = MethodFilter::PATCH;
const DELETE: MethodFilter = MethodFilter::DELETE;

/// The whole surface.
#[rustfmt::skip]
fn surface() -> Surface {
    use Needs::{Admin, Nothing, Read, Write};
    Surface::new()
        .group("remember")
        .on(POST, "/v1/messages", messages::remember, |d| d.needs(Write).says("Store messages, one or up to 1,000; acknowledged when durable.").body::<RememberRequest>().reply::<RememberReply>(201).or(200))

        .group("recall")
        .on(POST, "/v1/context", context::make, |d| d.needs(Read).says("What the model should know for its next reply: blocks with their sources, and a text for the prompt.").body::<ContextBody>().reply::<ContextView>(200))
        .on(POST, "/v1/recall", recall::recall, |d| d.needs(Read).says("The messages of a space that matter for a message, the best first.").body::<RecallBody>().reply::<RecallView>(200))
        .on(POST, "/v1/answer", answer::make, |d| d.needs(Read).says("Answer a message from memory: by one call of a model, streamed if that is wanted, or by rules without one.").body::<AnswerBody>().reply::<AnswerView>(200).or_streams())

        .group("spaces")
        .on(GET, "/v1/spaces", spaces::list, |d| d.needs(Read).says("Spaces of the tenant.").query::<ListQuery>().reply::<Page<SpaceView>>(200))
        .on(PUT, "/v1/spaces/{space}", spaces::put, |d| d.needs(Write).says("Create a space or change its zone, preset or metadata.").body_if_any::<SpaceRequest>().reply::<SpaceView>(200))
        .on(GET, "/v1/spaces/{space}", spaces::get, |d| d.needs(Read).says("A space.").reply::<SpaceView>(200))
        .on(DELETE, "/v1/spaces/{space}", spaces::erase, |d| d.needs(Admin).says("Erase a space with everything in it.").nothing())
        .on(GET, "/v1/spaces/{space}/export", spaces::export, |d| d.needs(Read).says("Everything in a space, as NDJSON.").answers("application/x-ndjson"))

        .group("messages")
        .on(GET, "/v1/spaces/{space}/messages", messages::list, |d| d.needs(Read).says("Messages by the time they were said; those of one session with its summary.").query::<MessagesQuery>().reply::<MessagePage>(200))
        .on(GET, "/v1/spaces/{space}/messages/search", messages::search, |d| d.needs(Read).says("Search over the messages of a space, by words or by meaning.").query::<SearchQuery>().reply::<SearchReply>(200))
        .on(GET, "/v1/spaces/{space}/messages/{id}", messages::get, |d| d.needs(Read).says("A message, what it answers, how it was worded before.").reply::<MessageDetailView>(200))
        .on(PATCH, "/v1/spaces/{space}/messages/{id}", messages::change, |d| d.needs(Write).says("Edit a message, or recall it.").body::<MessagePatch>().reply::<MessageView>(200))
        .on(DELETE, "/v1/spaces/{space}/messages/{id}", messages::erase, |d| d.needs(Write).says("Erase the words of a message for good.").reply::<MessageView>(200))

        .group("sessions")
        .on(POST, "/v1/spaces/{space}/sessions", sessions::open, |d| d.needs(Write).says("Open a session; the same id returns the same session.").body_if_any::<SessionRequest>().reply::<SessionView>(201))
        .on(GET, "/v1/spaces/{space}/sessions", sessions::list, |d| d.needs(Read).says("Sessions, the newest first.").query::<ListQuery>().reply::<Page<SessionView>>(200))
        .on(GET, "/v1/spaces/{space}/sessions/{id}", sessions::get, |d| d.needs(Read).says("A session, with its summary.").reply::<SessionView>(200))
        .on(POST, "/v1/spaces/{space}/sessions/{id}/end", sessions::end, |d| d.needs(Write).says("End a session.").body_if_any::<EndRequest>().reply::<SessionView>(200))
        .on(POST, "/v1/spaces/{space}/sessions/{id}/summarize", sessions::summarize, |d| d.needs(Write).says("Sum a session up as it is now; the same talk gives the same summary.").reply::<SummarizeReply>(200))
        .on(GET, "/v1/spaces/{space}/sessions/{id}/window", sessions::window, |d| d.needs(Read).says("The last messages of a session, with its summary.").query::<WindowQuery>().reply::<WindowReply>(200))

        .group("layers")
        .on(GET, "/v1/spaces/{space}/timeline", timeline::list, |d| d.needs(Read).says("What sessions, days, weeks or months came to, in the order of time.").query::<TimelineQuery>().reply::<Page<SummaryView>>(200))
        .on(GET, "/v1/spaces/{space}/days/{date}", days::get, |d| d.needs(Read).says("A day: what was talked about, and the messages that each sentence rests on.").reply::<DayReply>(200))
        .on(GET, "/v1/spaces/{space}/portrait", portrait::get, |d| d.needs(Read).says("What is going on in somebody's life and what is known of it all, each line with its messages.").reply::<PortraitView>(200))

        .group("upkeep")
        .on(POST, "/v1/upkeep/backfill", upkeep::backfill, |d| d.needs(Admin).says("Make the summaries that spaces lack, in the background.").query::<BackfillQuery>().reply::<BackfillReply>(202).or(200))
        .on(POST, "/v1/upkeep/reembed", upkeep::reembed, |d| d.needs(Admin).says("Make the vectors that spaces lack, in the background.").query::<ReembedQuery>().reply::<ReembedReply>(202).or(200))
        .on(GET, "/v1/jobs", jobs::list, |d| d.needs(Admin).says("Background jobs of the tenant.").query::<JobQuery>().reply::<Page<JobView>>(200))
        .on(GET, "/v1/jobs/{id}", jobs::get, |d| d.needs(Admin).says("A job that waits, runs or has failed for good; one that is done is gone.").reply::<JobView>(200))
        .on(POST, "/v1/jobs/{id}/retry", jobs::retry, |d| d.needs(Admin).says("Give a dead job another chance.").reply::<JobView>(200))

        .group("administration")
        .on(GET, "/v1/tenants", tenants::list, |d| d.needs(Admin).says("Tenants: all for an admin of the tenant default, else the caller's own.").reply::<Page<TenantView>>(200))
        .on(POST, "/v1/tenants", tenants::put, |d| d.needs(Admin).says("Create a tenant or change its label.").body::<TenantRequest>().reply::<TenantView>(201))
        .on(GET, "/v1/keys", keys::list, |d| d.needs(Admin).says("The keys of a tenant, without their secrets.").query::<KeysQuery>().reply::<Page<KeyView>>(200))
        .on(POST, "/v1/keys", keys::create, |d| d.needs(Admin).says("Make a key. Its token is shown this once.").body::<KeyRequest>().reply::<KeyIssued>(201))
        .on(DELETE, "/v1/keys/{id}", keys::revoke, |d| d.needs(Admin).says("Revoke a key.").reply::<KeyView>(200))
        .on(GET, "/v1/models", models::list, |d| d.needs(Read).says("Models that people may choose; those that work behind the scenes are not shown.").reply::<Page<ModelView>>(200))
        .on(GET, "/v1/audit", audit::list, |d| d.needs(Admin).says("Who did what, the newest first.").query::<AuditQuery>().reply::<Page<AuditView>>(200))
        .on(GET, "/v1/stats", stats::get, |d| d.needs(Read).says("How much the tenant has.").reply::<StatsView>(200))

        .group("health")
        .on(GET, "/healthz", health::alive, |d| d.needs(Nothing).says("The process runs.").answers("text/plain"))
        .on(GET, "/readyz", health::ready, |d| d.needs(Nothing).says("The store answers.").answers("text/plain"))
        .on(GET, "/metrics", health::metrics, |d| d.needs(Nothing).says("Prometheus metrics.").answers("text/plain"))
}

/// The surface as an OpenAPI document.
pub fn openapi() -> Value {
    let (_, operations, schemas) = surface().into_parts();
    crate::openapi::document(&operations, schemas)
}

/// Everything the server answers to.
pub fn router(app: App) -> Router {
    let (routes, operations, schemas) = surface().into_parts();
    let document = crate::openapi::document(&operations, schemas);
    let page = docs::page(&operations, &document).into_string();
    routes
        .route("/openapi.json", get(|| async move { Json(document) }))
        .route("/docs", get(|| async move { ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page) }))
        .fallback(|| async { Failure(Error::new(ErrorCode::NotFound, "there is no such path; see /docs")) })
        .method_not_allowed_fallback(|| async {
            Failure(Error::new(ErrorCode::MethodNotAllowed, "this path does not answer to that method"))
        })
        .layer(middleware::from_fn_with_state(app.clone(), observe::observe))
        .with_state(app)
}
