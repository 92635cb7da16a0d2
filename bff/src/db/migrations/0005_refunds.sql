-- Money that goes back: where to (said by the payer or the merchant), how far it is, how much has gone for good, and how.
alter table payments add column refund text not null default 'none' check (refund in ('none', 'queued', 'failing', 'failed'));
alter table payments add column refund_address text;
alter table payments add column refunded text not null default '0';
alter table payments add column refund_tx_id text;

-- Who said when where the money shall go. Rows are only added.
create table refund_requests (
  number integer primary key,
  payment_id text not null references payments (id),
  address text not null,
  caller_kind text not null check (caller_kind in ('public', 'api')),
  caller_id text not null,
  created_at_ms integer not null
) strict;

create index refund_requests_by_payment on refund_requests (payment_id);

-- Payments with money to be sent back now: written with the payment's state, pulled by the sweeper's loop.
create table refunds (
  payment_id text primary key references payments (id),
  network text not null,
  state text not null check (state in ('queued', 'sent')),
  due_at_ms integer not null,
  failures integer not null default 0,
  transaction_id text
) strict, without rowid;

create index refunds_due on refunds (network, state, due_at_ms);

-- The refund that an outgoing transaction makes. Outlives its row in `refunds`, so that it is counted once, whatever happens.
create table outgoing_refunds (
  transaction_id text primary key,
  payment_id text not null references payments (id),
  token text not null,
  address text not null,
  amount text not null,
  state text not null check (state in ('sent', 'confirmed', 'failed'))
) strict, without rowid;

create index outgoing_refunds_by_payment on outgoing_refunds (payment_id);
