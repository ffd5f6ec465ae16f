use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodFilter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::app::App;

/// The routes together with what the documentation says of them: one table, so that neither can forget the other.
pub(crate) struct Surface {
    router: Router<App>,
    operations: Vec<Operation>,
    group: &'static str,
    schemas: SchemaGenerator,
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
    pub(crate) reply: Option<Schema>,
    pub(crate) status: u16,
    pub(crate) media_type: &'static str,
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
        let schemas = schemars::generate::SchemaSettings::openapi3().into_generator();
        Surface { router: Router::new(), operations: Vec::new(), group: "", schemas }
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
            reply: None,
            status: 200,
            media_type: "application/json",
        };
        let described = describe(Description { operation: blank, schemas: &mut self.schemas });
        let operation = described.operation;
        self.operations.push(operation);
        self
    }

    pub(crate) fn into_parts(self) -> (Router<App>, Vec<Operation>, SchemaGenerator) {
        (self.router, self.operations, self.schemas)
    }
}

/// What the documentation says of a call, put together like a sentence.
pub(crate) struct Description<'s> {
    operation: Operation,
    schemas: &'s mut SchemaGenerator,
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
        self.operation.query = Some(schemars::generate::SchemaSettings::openapi3().into_generator().into_root_schema_for::<T>());
        self
    }

    pub(crate) fn body<T: JsonSchema>(mut self) -> Self {
        self.operation.body = Some(self.schemas.subschema_for::<T>());
        self
    }

    pub(crate) fn reply<T: JsonSchema>(mut self, status: u16) -> Self {
        self.operation.reply = Some(self.schemas.subschema_for::<T>());
        self.operation.status = status;
        self
    }

    pub(crate) fn answers(mut self, media_type: &'static str) -> Self {
        self.operation.media_type = media_type;
        self
    }
}
