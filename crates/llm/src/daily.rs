use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memoir_model::TenantId;
use parking_lot::Mutex;
use std::collections::HashMap;

/// How many tokens each tenant has used today, on this node. A day is a day in UTC.
#[derive(Debug)]
pub(crate) struct DailyTokens {
    most: Option<u64>,
    today: Mutex<Today>,
}

#[derive(Debug, Default)]
struct Today {
    date: Date,
    used: HashMap<TenantId, u64>,
}

impl Today {
    fn turn_to(&mut self, now: Timestamp) {
        let date = now.to_zoned(TimeZone::UTC).date();
        if self.date != date {
            *self = Today { date, used: HashMap::new() };
        }
    }
}

impl DailyTokens {
    pub(crate) fn new(most: Option<u64>) -> Self {
        DailyTokens { most, today: Mutex::default() }
    }

    /// Whether the tenant may still ask for so many.
    pub(crate) fn allows(&self, tenant: &TenantId, tokens: u64, now: Timestamp) -> bool {
        let Some(most) = self.most else { return true };
        let mut today = self.today.lock();
        today.turn_to(now);
        let used = today.used.get(tenant).copied().unwrap_or(0);
        used.saturating_add(tokens) <= most
    }

    pub(crate) fn spend(&self, tenant: &TenantId, tokens: u64, now: Timestamp) {
        if self.most.is_none() {
            return;
        }
        let mut today = self.today.lock();
        today.turn_to(now);
        let used = today.used.entry(tenant.clone()).or_default();
        *used = used.saturating_add(tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_that_used_its_day_up_waits_for_the_next() {
        let daily = DailyTokens::new(Some(100));
        let (a, b) = (TenantId::new("a").unwrap(), TenantId::new("b").unwrap());
        let evening: Timestamp = "2026-03-01T23:59:59Z".parse().unwrap();
        let midnight: Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
        daily.spend(&a, 90, evening);
        assert!(daily.allows(&a, 10, evening));
        assert!(!daily.allows(&a, 11, evening));
        assert!(daily.allows(&b, 100, evening));
        assert!(daily.allows(&a, 100, midnight));
    }

    #[test]
    fn without_a_cap_nothing_is_counted() {
        let daily = DailyTokens::new(None);
        let tenant = TenantId::new("a").unwrap();
        let now = Timestamp::UNIX_EPOCH;
        daily.spend(&tenant, u64::MAX, now);
        assert!(daily.allows(&tenant, u64::MAX, now));
    }
}
