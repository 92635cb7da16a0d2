-- What an agent may spend. Limits are dollars (whole stablecoins) with 36 decimals as integer text; null is no limit.
create table agent_policies (
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  agent_id text not null,
  max_per_transaction text,
  daily_budget text,
  monthly_budget text,
  -- JSON arrays; null allows all.
  allowed_networks text,
  allowed_currencies text,
  autonomous_allowed integer not null check (autonomous_allowed in (0, 1)),
  expires_at_ms integer,
  created_at_ms integer not null,
  updated_at_ms integer not null,
  primary key (merchant_id, is_test, agent_id)
) strict, without rowid;

-- An agent's spending is the sum over its payments that did not fail: all that the sum reads, and nothing that failed.
create index payments_by_agent on payments (merchant_id, is_test, agent_id, created_at_ms, token_decimals, due, status)
 where agent_id is not null and status not in ('expired', 'cancelled', 'failed');

-- The public key that a payment was created with; null for API key and secret, and where open payments are not bounded.
alter table payments add column public_key text;

create index payments_open_by_public_key on payments (public_key) where status = 'pending' and public_key is not null;
