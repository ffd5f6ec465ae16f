use std::sync::Arc;
use tokio::time::{Instant, sleep};

use crate::cache::QuestionKey;
use crate::completion::Completion;
use crate::endpoint::Endpoint;
use crate::journal::Journal;
use crate::patience::Patience;
use crate::provider::Admission;
use crate::validate::Fit;
use crate::{Answer, Cause, CompletionRequest, NoModel, Reason, Registry, Reply, Role, Sheet, Task, Usage};

/// How many tokens an answer is expected to have when the request does not limit it.
const EXPECTED_ANSWER: u64 = 256;

/// A question on its way along a chain.
pub(crate) struct Question<'a> {
    pub(crate) task: &'a Task,
    masked: CompletionRequest,
    sheet: Sheet,
    unmasked: Sheet,
    pub(crate) tokens: u64,
    until: Option<Instant>,
}

impl<'a> Question<'a> {
    pub(crate) fn new(registry: &Registry, task: &'a Task) -> Self {
        let (masked, sheet) = registry.inner.masker.mask(&task.request);
        let answer = task.request.max_tokens.map_or(EXPECTED_ANSWER, u64::from);
        Question {
            task,
            masked,
            sheet,
            unmasked: Sheet::default(),
            tokens: task.request.prompt_tokens() + answer,
            until: task.budget.map(|budget| Instant::now() + budget),
        }
    }

    /// What this provider may see, and the sheet by which its answer is read.
    pub(crate) fn for_provider(&self, endpoint: &Endpoint) -> (&CompletionRequest, &Sheet) {
        match endpoint.provider.masks {
            true => (&self.masked, &self.sheet),
            false => (&self.task.request, &self.unmasked),
        }
    }

    /// Until when this provider may take its time.
    pub(crate) fn until(&self, endpoint: &Endpoint) -> Instant {
        let own = Instant::now() + endpoint.provider.timeout;
        self.until.map_or(own, |until| until.min(own))
    }

    pub(crate) fn until_in_all(&self) -> Option<Instant> {
        self.until
    }
}

impl Registry {
    /// Asks the models of a role, one after another, until one gives an answer that will do. [`NoModel`] means that the
    /// caller must do without.
    pub async fn ask(&self, role: Role, task: Task) -> Result<Answer, NoModel> {
        let mut journal = Journal::begin(role);
        let key = task.request.is_deterministic().then(|| QuestionKey::of(role, &task));
        if let (Some(cache), Some(key)) = (&self.inner.cache, &key)
            && let Some(answer) = cache.get(key).await
        {
            journal.remembered();
            return Ok(answer);
        }
        let chain = self.open_chain(role, &task, &mut journal)?;
        let question = Question::new(self, &task);
        for endpoint in chain {
            journal.attempt(&endpoint.provider);
            match self.attempt(&endpoint, &question, &journal).await {
                Ok(answer) => {
                    journal.succeeded(if answer == Answer::Nothing { "nothing" } else { "ok" });
                    if let (Some(cache), Some(key)) = (&self.inner.cache, key) {
                        cache.put(key, answer.clone()).await;
                    }
                    return Ok(answer);
                }
                Err(reason) => journal.failed(reason),
            }
        }
        Err(give_up(role, Cause::AllFailed, &mut journal))
    }

    /// The models to ask, unless none is configured or the tenant has used its tokens up.
    pub(crate) fn open_chain(
        &self,
        role: Role,
        task: &Task,
        journal: &mut Journal,
    ) -> Result<Vec<Arc<Endpoint>>, NoModel> {
        let wanted = |endpoint: &&Arc<Endpoint>| match &task.model {
            Some(model) => endpoint.is_called(model),
            None => true,
        };
        let chain: Vec<Arc<Endpoint>> = self.chain(role).iter().filter(wanted).cloned().collect();
        if chain.is_empty() {
            return Err(give_up(role, Cause::NotConfigured, journal));
        }
        let now = (self.inner.now.0)();
        if !self.inner.daily.allows(&task.tenant, task.request.prompt_tokens(), now) {
            return Err(give_up(role, Cause::DailyCap, journal));
        }
        Ok(chain)
    }

    async fn attempt(
        &self,
        endpoint: &Endpoint,
        question: &Question<'_>,
        journal: &Journal,
    ) -> Result<Answer, Reason> {
        let until = question.until(endpoint);
        let provider = &endpoint.provider;
        let mut admission = provider.enter(question.tokens, until).await?;
        let mut patience = Patience::default();
        loop {
            let (request, sheet) = question.for_provider(endpoint);
            let mut completion = match endpoint.complete(request, until).await {
                Ok(completion) => completion,
                Err(reason) => match patience.after(reason, until) {
                    Some(pause) => {
                        sleep(pause).await;
                        continue;
                    }
                    None => {
                        provider.ended(Some(reason));
                        return Err(reason);
                    }
                },
            };
            provider.ended(None);
            self.spend(question.task, completion.usage, &mut admission, journal);
            unmask(&mut completion, sheet, request.shape.is_some());
            match question.task.validate.check(request, &completion) {
                Err(Reason::Invalid) if endpoint.ignored_schema() => {}
                Err(reason) => return Err(reason),
                Ok(Fit::Nothing) => return Ok(Answer::Nothing),
                Ok(Fit::Text(text)) => return Ok(Answer::Given(reply(endpoint, completion, text, None))),
                Ok(Fit::Json(mut json)) => {
                    sheet.unmask_value(&mut json);
                    let text = json.to_string();
                    return Ok(Answer::Given(reply(endpoint, completion, text, Some(json))));
                }
            }
        }
    }

    /// Notes what an answer cost, wherever that counts.
    pub(crate) fn spend(&self, task: &Task, usage: Usage, admission: &mut Admission, journal: &Journal) {
        journal.spent(usage);
        admission.spend(usage.total());
        self.inner.daily.spend(&task.tenant, usage.total(), (self.inner.now.0)());
    }
}

pub(crate) fn give_up(role: Role, cause: Cause, journal: &mut Journal) -> NoModel {
    journal.gave_up(cause.as_str());
    NoModel { role, cause, tried: journal.tried() }
}

fn unmask(completion: &mut Completion, sheet: &Sheet, is_json: bool) {
    if sheet.is_empty() {
        return;
    }
    let unmasked = if is_json { sheet.unmask_json(&completion.text) } else { sheet.unmask(&completion.text) };
    completion.text = unmasked;
    completion.tool_calls.iter_mut().for_each(|call| sheet.unmask_call(call));
}

fn reply(
    endpoint: &Endpoint,
    completion: Completion,
    text: String,
    json: Option<serde_json::Value>,
) -> Reply {
    Reply {
        text,
        json,
        tool_calls: completion.tool_calls,
        finish: completion.finish,
        usage: completion.usage,
        provider: endpoint.provider.name.clone(),
        model: endpoint.model.clone(),
        cached: false,
    }
}
