-- The processes that share the database. Times of this file are of the database's clock, because those of replicas differ.
create table replicas (
  -- Made at each start of a process.
  id text primary key,
  version text not null,
  host text not null,
  -- Where it listens; null: not yet.
  url text,
  started_at_ms integer not null,
  seen_at_ms integer not null
) strict, without rowid;

-- The right of one replica to work for a network (by its short name), or for all of them ('*': webhooks, expiry of test payments,
-- bridges, pruning). The epoch grows each time that the lease is taken: who knows an older one changes nothing.
create table leases (
  name text primary key,
  -- Null: nobody's.
  holder text,
  epoch integer not null,
  -- Anybody may take it from then on.
  ends_at_ms integer not null
) strict, without rowid;

-- What the replica that works for a network knows and the others show.
create table network_states (
  network text primary key,
  -- Why the network cannot be paid on; null: it can.
  reason text,
  head_number integer,
  head_hash text,
  head_time_ms integer,
  -- The account that pays gas, as it was last read; null: never. Amounts in wei.
  gas_address text,
  gas_balance text,
  gas_needed text,
  gas_read_at_ms integer
) strict, without rowid;

-- Two transactions of one account can never both be waited for at one nonce. An older form of the newest one is 'replaced', and Solana has
-- no nonces.
create unique index outgoing_one_per_nonce on outgoing_transactions (network, sender, nonce)
  where state = 'stored' and last_valid_height is null;
