//! The behaviours that every backend must show, each a function that takes an empty store.
//!
//! A backend runs them all in its own tests:
//!
//! ```ignore
//! async fn empty_store() -> (Arc<dyn Store>, TempDir) { … }
//!
//! memoir_store::conformance_tests!(empty_store);
//! ```

#![expect(clippy::unwrap_used, reason = "these are tests")]
#![expect(missing_docs, reason = "a behaviour's name says what it is")]

use std::sync::Arc;

use crate::{Severity, Store};

pub mod admin;
pub mod derived;
pub mod erasure;
pub mod fencing;
pub mod fixtures;
pub mod index;
pub mod isolation;
pub mod jobs;
pub mod messages;
pub mod room;
pub mod sessions;
pub mod spaces;
pub mod vectors;

/// Runs one behaviour, then has the store examine what was left behind.
pub async fn check<F: Future<Output = ()>>(
    store: Arc<dyn Store>,
    behaviour: impl FnOnce(Arc<dyn Store>) -> F,
) {
    behaviour(store.clone()).await;
    let mut findings = store.check().await.unwrap();
    findings.retain(|finding| finding.severity == Severity::Broken);
    assert!(findings.is_empty(), "the store is broken afterwards: {findings:?}");
}

/// Makes one `#[tokio::test]` of every behaviour.
///
/// `make` is an async function without arguments that returns an empty store as an `Arc<dyn Store>` and something
/// that keeps it alive, such as a temporary folder.
#[macro_export]
macro_rules! conformance_tests {
    ($make:ident) => {
        $crate::conformance_tests! { @of $make;
            admin:
                tenants_are_listed_and_called_otherwise,
                a_key_is_found_by_its_public_part,
                keys_of_a_tenant_are_listed_the_oldest_first,
                a_revoked_key_is_kept_and_counts_no_more,
                a_key_never_moves_to_another_tenant,
                the_audit_log_is_read_the_newest_first_below_an_id,
                every_audited_action_is_kept,
                the_newest_taxonomy_is_read_and_no_version_is_replaced,
                stats_count_what_a_tenant_has,
                a_row_sent_to_the_wrong_place_is_refused,
                a_tenants_commit_is_all_or_nothing,
                a_store_answers_and_finds_no_fault_in_itself,
            ;
            derived:
                a_memory_is_read_back_and_changed_in_place,
                memories_are_filtered_by_kind_and_status_and_paged,
                awkward_memory_ids_are_kept_as_they_came,
                a_period_has_one_summary,
                a_summary_that_goes_leaves_the_others,
                summaries_of_a_level_are_listed_in_their_range,
                summaries_of_several_periods_come_in_the_order_asked,
            ;
            erasure:
                an_erased_message_keeps_its_place_and_loses_its_words,
                the_id_of_an_erased_message_stays_taken,
                erasing_a_space_takes_everything_in_it,
                erasing_a_space_leaves_the_others_alone,
                an_erased_space_can_be_made_again_and_is_empty,
                the_audit_line_of_an_erasure_outlives_it,
                an_erasure_against_an_old_version_is_refused,
                who_planned_on_a_space_that_was_erased_is_told_to_plan_again,
                a_worker_of_an_erased_space_writes_nothing,
            ;
            fencing:
                every_write_of_rows_raises_the_version,
                a_commit_against_an_old_version_is_refused_and_writes_nothing,
                of_many_commits_against_one_version_exactly_one_wins,
                a_commit_is_all_or_nothing,
                a_jobs_effect_and_its_end_are_one,
                a_lost_lease_writes_nothing,
                a_late_worker_may_finish_while_nobody_else_took_the_job,
                a_settled_lease_is_worth_nothing,
                an_invented_lease_is_refused,
                a_job_is_settled_only_under_a_lease,
            ;
            index:
                a_new_index_gets_every_row_in_order,
                an_index_that_is_up_to_date_gets_nothing,
                an_index_that_is_behind_gets_only_what_is_new,
                an_edited_row_reaches_an_index_that_is_behind,
                an_edit_within_the_news_comes_once,
                a_recalled_or_erased_row_reaches_an_index_without_its_terms,
                a_restored_row_reaches_an_index_with_its_terms,
                an_index_of_a_space_that_is_gone_is_told_so,
                full_pieces_that_are_not_sealed_are_listed,
                the_rows_of_a_piece_are_those_it_covers,
                a_sealed_piece_stands_for_its_rows,
                a_stale_piece_is_left_out,
                an_edit_unseals_its_piece_and_no_other,
                a_space_made_again_has_no_pieces_of_the_old_one,
            ;
            isolation:
                another_tenants_key_reads_nothing,
                another_tenants_key_writes_nothing,
                a_number_that_is_too_large_never_reaches_the_next_space,
                rows_that_name_another_space_do_not_reach_it,
                lists_show_a_tenant_only_its_own,
                a_lease_of_one_space_settles_nothing_in_another,
                sessions_and_threads_of_two_spaces_do_not_mix,
            ;
            jobs:
                a_new_job_waits_until_it_is_due,
                a_claimed_job_is_not_handed_out_again_until_its_lease_ends,
                the_longest_due_job_comes_first,
                asking_twice_keeps_one_job_and_the_earlier_time,
                the_same_key_of_another_kind_or_space_is_other_work,
                work_asked_for_while_it_runs_is_done_again,
                a_job_that_is_given_back_counts_as_not_begun,
                a_job_may_ask_for_itself_in_the_commit_that_finishes_it,
                two_jobs_of_one_lane_in_one_space_never_run_together,
                free_jobs_and_lanes_of_other_spaces_run_side_by_side,
                a_claim_takes_no_more_of_a_kind_than_there_is_room_for,
                a_claim_without_a_limit_takes_everything,
                a_backlog_of_one_kind_does_not_hide_another,
                a_finished_job_is_gone,
                a_postponed_job_starts_afresh_at_its_new_time,
                a_postponed_job_keeps_the_earlier_time_that_was_asked_for,
                an_extended_lease_holds_longer,
                a_failed_job_is_tried_again_at_its_time,
                a_job_that_failed_for_good_is_dead_and_stays,
                asking_for_dead_work_gives_it_another_chance,
                a_dead_job_is_revived_by_hand,
                work_asked_for_while_it_fails_for_good_still_runs_again,
                work_asked_for_while_it_fails_is_done_by_the_next_try,
                jobs_are_listed_by_state_space_and_cursor,
                a_job_leads_to_its_space_whatever_the_tenant,
                many_workers_never_get_the_same_job,
                awkward_kinds_and_keys_are_kept_as_they_came,
            ;
            messages:
                a_message_is_read_back_as_it_was_written,
                every_part_in_which_somebody_speaks_is_kept,
                words_of_every_length_are_kept,
                a_second_message_with_the_same_id_is_refused_and_nothing_is_written,
                the_same_message_id_lives_in_two_spaces,
                a_message_number_that_is_not_the_next_is_refused,
                messages_are_ordered_by_time_then_number,
                pages_meet_without_gap_or_repetition_in_both_directions,
                a_place_need_not_be_a_message,
                a_time_range_includes_its_start_and_excludes_its_end,
                messages_are_filtered_by_session_author_and_role,
                a_session_comes_with_those_of_its_messages_that_are_asked_for,
                messages_up_to_a_number_are_those_that_came_before_it,
                recalled_and_erased_messages_are_left_out_of_active_lists,
                times_from_year_1_to_year_9998_are_kept_and_ordered,
                messages_come_back_in_the_order_asked_for,
                a_limit_as_large_as_can_be_gives_everything,
                an_edited_message_keeps_its_place_and_its_earlier_wordings,
                editing_a_message_that_does_not_exist_is_refused,
                taken_ids_name_the_message_and_what_it_first_said,
                awkward_ids_are_kept_as_they_came,
            ;
            sessions:
                a_session_is_read_back_as_it_was_written,
                a_session_changes_in_place,
                a_session_id_is_taken_only_once_in_a_space,
                sessions_are_listed_newest_first_below_a_number,
                a_talk_begins_with_the_latest_sessions_and_what_two_of_them_came_to,
                the_open_unnamed_session_of_a_thread_is_found,
                a_thread_has_one_open_unnamed_session_at_most,
                one_commit_ends_an_unnamed_session_and_opens_the_next,
                unnamed_sessions_are_found_by_the_time_they_touch,
                at_most_eight_unnamed_sessions_come_back_the_latest_first,
                awkward_session_ids_and_threads_are_kept_as_they_came,
            ;
            spaces:
                a_new_space_is_read_back_as_it_was_written,
                what_does_not_exist_is_none,
                a_space_id_is_taken_only_once_in_a_tenant,
                a_space_number_is_taken_only_once,
                two_tenants_may_use_the_same_space_id,
                settings_change_while_counters_stay_the_stores,
                a_write_into_a_space_that_does_not_exist_is_refused,
                every_bit_pattern_of_a_space_number_works,
                spaces_are_listed_in_the_byte_order_of_their_ids_page_by_page,
                awkward_space_ids_stay_apart,
            ;
            vectors:
                vectors_are_read_back_bit_for_bit_in_the_order_of_their_messages,
                vectors_move_their_own_counter_and_not_the_version,
                an_index_that_is_behind_gets_only_new_vectors,
                a_generation_goes_on_and_keeps_what_it_is,
                a_dropped_generation_takes_its_vectors_along_and_no_others,
                a_vector_of_another_dimension_is_refused_with_all_that_came_with_it,
                an_edited_message_wants_its_vector_again,
                a_vector_of_an_older_wording_is_not_kept,
                a_vector_with_an_older_wording_of_the_message_before_is_not_kept,
                an_outdated_vector_is_wanted_again_wherever_the_cursor_has_passed,
                an_index_that_is_behind_learns_which_vectors_are_outdated,
                an_outdated_vector_of_a_message_that_is_not_active_is_not_wanted,
                a_recalled_or_erased_message_loses_its_vectors,
                vectors_of_two_spaces_and_tenants_do_not_mix,
                an_erased_space_leaves_no_vectors,
            ;
        }
    };
    (@of $make:ident; $($concern:ident: $($behaviour:ident,)+;)+) => {
        $(mod $concern {
            $(#[tokio::test]
            async fn $behaviour() {
                let (store, _guard) = super::$make().await;
                $crate::conformance::check(store, $crate::conformance::$concern::$behaviour).await;
            })+
        })+
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_behaviour_is_run() {
        let list = include_str!("conformance.rs");
        for (concern, source) in [
            ("admin", include_str!("conformance/admin.rs")),
            ("derived", include_str!("conformance/derived.rs")),
            ("erasure", include_str!("conformance/erasure.rs")),
            ("fencing", include_str!("conformance/fencing.rs")),
            ("index", include_str!("conformance/index.rs")),
            ("isolation", include_str!("conformance/isolation.rs")),
            ("jobs", include_str!("conformance/jobs.rs")),
            ("messages", include_str!("conformance/messages.rs")),
            ("sessions", include_str!("conformance/sessions.rs")),
            ("spaces", include_str!("conformance/spaces.rs")),
            ("vectors", include_str!("conformance/vectors.rs")),
        ] {
            let names =
                source.lines().filter_map(|line| line.strip_prefix("pub async fn ")?.split('(').next());
            for name in names {
                assert!(list.contains(&format!(" {name},\n")), "{concern}::{name} is not in the list");
            }
        }
    }
}
