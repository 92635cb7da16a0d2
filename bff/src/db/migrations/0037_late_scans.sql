-- How far the slow scan of a network is, over the addresses of deposits that are not watched any more.
create table late_scans (
  network text primary key,
  -- The round: the newest block that was applied when it began, and the time.
  began_block integer not null,
  began_at_ms integer not null,
  -- The deposit that was scanned last, in the order of networks and windows; null: the round is over.
  home text,
  window_ends_at_ms integer,
  number integer,
  -- When and at which block the newest round began that is over; null: none is.
  whole_block integer,
  whole_at_ms integer,
  -- Addresses that were scanned in all rounds, each as often as it was.
  scanned integer not null
) strict, without rowid;

-- Tokens of which more lies at such an address than the books say, and the blocks in which the transfers are searched for.
create table late_searches (
  network text not null,
  payment_id text not null references payments (id),
  -- Lower case.
  token text not null,
  -- The next block to be read, and the last; null: the search is over.
  from_block integer,
  to_block integer not null,
  -- What the address held, and what of it was in the books, in base units.
  balance text not null,
  in_books text not null,
  -- Rounds that found the same.
  rounds integer not null,
  -- Refusals of the RPC nodes in a row.
  failures integer not null,
  primary key (network, payment_id, token)
) strict, without rowid;

create index late_searches_open on late_searches (network, failures, from_block) where from_block is not null;
