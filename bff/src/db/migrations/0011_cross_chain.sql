-- Deposits that are paid from another chain: what the relay was ordered to do (never changes), and what it said last.
create table bridges (
  payment_id text primary key references payments (id),
  -- The prefix keeps them apart from columns of payments, which are read together with them.
  -- Who takes what where, and how much of it, as JSON.
  bridge_terms text not null,
  bridge_status text not null check (bridge_status in
    ('waiting', 'depositing', 'pending', 'submitted', 'delayed', 'success', 'refund', 'failure')),
  bridge_origin_tx_id text,
  bridge_destination_tx_id text,
  bridge_refund_tx_id text,
  bridge_reason text
) strict, without rowid;

-- Bridges that the relay is still asked about: written with the payment, pulled by the progress worker.
create table bridge_looks (
  payment_id text primary key references payments (id),
  due_at_ms integer not null,
  -- In a row.
  failures integer not null default 0,
  -- How often the relay was asked to look at the deposit address again.
  reindexes integer not null default 0
) strict, without rowid;

create index bridge_looks_due on bridge_looks (due_at_ms);
