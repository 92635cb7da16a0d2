-- The newest API calls of each merchant that were refused, by whatever process: a hundred at most. Nothing that was sent is kept.
create table api_errors (
  number integer primary key autoincrement,
  merchant_id text not null references merchants (id),
  at_ms integer not null,
  request_id text not null,
  method text not null,
  -- The path's template.
  route text not null,
  status integer not null,
  code text not null,
  field text
) strict;

create index api_errors_by_merchant on api_errors (merchant_id, number);

-- How the RPC nodes of each network are to each replica.
create table node_states (
  replica_id text not null,
  network text not null,
  -- Its place in the configuration.
  place integer not null,
  name text not null,
  host text not null,
  state text not null check (state in ('ok', 'down', 'quarantine')),
  reason text,
  -- Null: it is asked.
  out_until_ms integer,
  primary key (replica_id, network, place)
) strict, without rowid;
