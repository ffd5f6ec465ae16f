use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodFilter, on};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::app::App;

/// The routes together with what the documentation says of them: one table, so that neither can forget the other.
pub(crate) struct Surface {
    router: Router<App>,
    operations: Vec<Operation>,
    group: &'static str,
    schemas: Schemas,
}

/// The types that travel over the wire. What a request may leave out and what a reply may leave out are two things.
pub(crate) struct Schemas {
    requests: SchemaGenerator,
    pub(crate) replies: SchemaGenerator,
}

impl Schemas {
    fn new() -> Self {
        Schemas {
            requests: SchemaSettings::openapi3().into_generator(),
            replies: SchemaSettings::openapi3().for_serialize().into_generator(),
        }
    }

    /// All of them by name. A type that travels both ways is described as it is sent, which covers how it comes back.
    pub(crate) fn definitions(mut self) -> Map<String, Value> {
        let mut definitions = self.replies.take_definitions(true);
        definitions.extend(self.requests.take_definitions(true));
        definitions
    }
}

/// One call of the API.
pub(crate) struct Operation {
    pub(crate) group: &'static str,
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) needs: Needs,
    pub(crate) query: Option<Schema>,
    pub(crate) body: Option<Schema>,
    /// A body that says nothing may be left out.
    pub(crate) body_required: bool,
    pub(crate) reply: Option<Schema>,
    pub(crate) status: u16,
    /// Another status with the same reply.
    pub(crate) or_status: Option<u16>,
    pub(crate) media_type: &'static str,
    /// The reply may come bit by bit, as server-sent events, if the caller wants it so.
    pub(crate) streams: bool,
}

/// Which key a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Read,
    Write,
    Admin,
}

impl Needs {
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Needs::Nothing => "no key",
            Needs::Read => "a key that may read (a `self` key: its own space)",
            Needs::Write => "a key of role write or admin",
            Needs::Admin => "a key of role admin",
        }
    }
}

impl Surface {
    pub(crate) fn new() -> Self {
        Surface { router: Router::new(), operations: Vec::new(), group: "", schemas: Schemas::new() }
    }

    /// What follows belongs together.
    pub(crate) fn group(mut self, name: &'static str) -> Self {
        self.group = name;
        self
    }

    /// Adds a call.
    pub(crate) fn on<H, T>(
        mut self,
        method: MethodFilter,
        path: &'static str,
        handler: H,
        describe: impl FnOnce(Description<'_>) -> Description<'_>,
    ) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        self.router = self.router.route(path, on(method, handler));
        let name = match method {
            MethodFilter::GET => "get",
            MethodFilter::POST => "post",
            MethodFilter::PUT => "put",
            MethodFilter::PATCH => "patch",
            _ => "delete",
        };
        let blank = Operation {
            group: self.group,
            method: name,
            path,
            summary: "",
            needs: Needs::Read,
            query: None,
            body: None,
            body_required: true,
            reply: None,
            status: 200,
            or_status: None,
            media_type: "application/json",
            streams: false,
        };
        let described = describe(Description { operation: blank, schemas: &mut self.schemas });
        let operation = described.operation;
        self.operations.push(operation);
        self
    }

    pub(crate) fn into_parts(self) -> (Router<App>, Vec<Operation>, Schemas) {
        (self.router, self.operations, self.schemas)
    }
}

/// What the documentation says of a call, put together like a sentence.
pub(crate) struct Description<'s> {
    operation: Operation,
    schemas: &'s mut Schemas,
}

impl Description<'_> {
    pub(crate) fn says(mut self, summary: &'static str) -> Self {
        self.operation.summary = summary;
        self
    }

    pub(crate) fn needs(mut self, needs: Needs) -> Self {
        self.operation.needs = needs;
        self
    }

    pub(crate) fn query<T: JsonSchema>(mut self) -> Self {
        // Parameters are listed one by one, so their schema stands by itself.
        self.operation.query = Some(SchemaSettings::openapi3().into_generator().into_root_schema_for::<T>());
        self
    }

    pub(crate) fn body<T: JsonSchema>(mut self) -> Self {
        self.operation.body = Some(self.schemas.requests.subschema_for::<T>());
        self
    }

    pub(crate) fn body_if_any<T: JsonSchema>(mut self) -> Self {
        self.operation.body_required = false;
        self.body::<T>()
    }

    pub(crate) fn reply<T: JsonSchema>(mut self, status: u16) -> Self {
        self.operation.reply = Some(self.schemas.replies.subschema_for::<T>());
        self.operation.status = status;
        self
    }

    /// The same reply may come with another status.
    pub(crate) fn or(mut self, status: u16) -> Self {
        self.operation.or_status = Some(status);
        self
    }

    /// The reply is a status and nothing more.
    pub(crate) fn nothing(mut self) -> Self {
        self.operation.status = 204;
        self
    }

    /// The reply may also come bit by bit.
    pub(crate) fn or_streams(mut self) -> Self {
        self.operation.streams = true;
        self
    }

    pub(crate) fn answers(mut self, media_type: &'static str) -> Self {
        self.operation.media_type = media_type;
        self
    }
}
