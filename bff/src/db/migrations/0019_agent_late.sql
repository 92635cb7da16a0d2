-- An expired payment that late money can still make paid keeps its share of its agent's budget: all that this sum reads.
create index payments_by_agent_late
    on payments (merchant_id, is_test, agent_id, created_at_ms, token_decimals, due)
 where agent_id is not null and status = 'expired' and closed_as is null and accepted_until_ms is not null
   and late_ended = 0;

-- Why a stray's return is given up, where the one it goes to is the reason; null: for another reason, or it is not.
alter table strays add column refund_reason text check (refund_reason in ('coins_refused'));
