-- The platform's shares that could not be paid with the merchant's: its wallet is blocked, or its account is frozen. They wait where the
-- money came to, and are paid when the token allows it.
create table parked_shares (
  network text not null,
  -- A deposit's address, or a splitter, which holds the shares of many payments together.
  place text not null,
  token text not null,
  -- The platform's wallet.
  recipient text not null,
  -- The deposit's payment; null at a splitter.
  payment_id text references payments (id),
  -- Base units of the token, as they were found.
  amount text not null,
  parked_at_ms integer not null,
  due_at_ms integer not null,
  failures integer not null default 0,
  -- Why the share could not be paid when that was last tried; null: it was not.
  reason text,
  -- The newest outgoing transaction that pays the share; null: there is none.
  transaction_id text,
  primary key (network, place, token, recipient)
) strict, without rowid;

create index parked_shares_due on parked_shares (network, due_at_ms);
