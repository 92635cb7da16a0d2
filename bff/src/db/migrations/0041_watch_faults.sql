-- What could not be applied to one payment. The others go on; this is tried again alone until it succeeds.
create table watch_faults (
  network text not null,
  payment_id text not null references payments (id),
  -- transfers: of a block, on EVM; account: the token account of a deposit on Solana; window: the end of a window; unmatched: the balance of a token.
  part text not null check (part in ('transfers', 'account', 'window', 'unmatched')),
  -- The block number, or the token in lower case; else empty.
  place text not null,
  error text not null,
  failures integer not null,
  since_ms integer not null,
  tried_at_ms integer not null,
  primary key (network, payment_id, part, place)
) strict, without rowid;

create index watch_faults_by_turn on watch_faults (network, part, tried_at_ms);

-- Blocks whose logs a node may have answered short: they are read again once they have the required confirmations.
create table second_reads (
  network text not null,
  from_block integer not null,
  to_block integer not null,
  primary key (network, from_block, to_block)
) strict, without rowid;
