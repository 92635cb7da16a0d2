-- What was decided about each payment of an agent: when it was created, and when it was paid through x402. The newest of each agent are kept,
-- for a limited time. `amount` in base units.
create table agent_decisions (
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  agent_id text not null,
  -- Counts the decisions of the agent, from 1 on.
  sequence integer not null,
  decided_at_ms integer not null,
  action text not null check (action in ('create', 'pay')),
  is_allowed integer not null check (is_allowed in (0, 1)),
  -- The rule of the policy that refused, or `within_policy` or `no_policy`.
  rule text not null,
  amount text not null,
  token_decimals integer not null,
  currency text not null,
  network text not null,
  -- Null: it was refused, so there is none.
  payment_id text references payments (id),
  primary key (merchant_id, is_test, agent_id, sequence)
) strict, without rowid;

create index agent_decisions_by_time on agent_decisions (decided_at_ms);
