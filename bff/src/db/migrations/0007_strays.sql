-- Money at a deposit address that its payment did not ask for: another token, the chain's own coin, or on another network.
alter table payments add column stray_count integer not null default 0;

create table strays (
  payment_id text not null references payments (id),
  network text not null,
  -- Lower case; the zero address is the chain's own coin.
  token text not null,
  currency text not null,
  decimals integer not null,
  -- Base units: what lay there at `block`, and what was sent back for good.
  held text not null,
  refunded text not null,
  block integer not null,
  -- The newest transfer that was seen of it; the coin leaves no log.
  tx_id text,
  -- How often the merchant was told of it.
  told integer not null,
  refund text not null check (refund in ('none', 'queued', 'failing', 'failed', 'too_small')),
  -- Where it goes back to; null where nobody has said, and on the payment's own network, where the payment's own counts.
  address text,
  refund_tx_id text,
  primary key (payment_id, network, token)
) strict, without rowid;

create index strays_by_block on strays (network, block);

-- Null: the payment's own network.
alter table refund_requests add column network text;

-- Strays to be sent back now: written with the payment's state, pulled by the loop of the network's sweeper.
create table stray_refunds (
  payment_id text not null references payments (id),
  network text not null,
  token text not null,
  state text not null check (state in ('queued', 'sent')),
  due_at_ms integer not null,
  failures integer not null default 0,
  transaction_id text,
  primary key (payment_id, network, token)
) strict, without rowid;

create index stray_refunds_due on stray_refunds (network, state, due_at_ms);

-- The stray that an outgoing transaction sends back. Outlives its row in `stray_refunds`, so that it is counted once.
create table outgoing_stray_refunds (
  transaction_id text primary key,
  payment_id text not null references payments (id),
  network text not null,
  token text not null,
  address text not null,
  amount text not null,
  state text not null check (state in ('sent', 'confirmed', 'failed'))
) strict, without rowid;

create index outgoing_stray_refunds_by_stray on outgoing_stray_refunds (payment_id, network, token);

-- Newest block whose strays were looked for, per network.
create table stray_cursors (
  network text primary key,
  number integer not null,
  hash text not null
) strict, without rowid;
