-- What a merchant is told: each event once, whoever it is delivered to. By number it is also the feed.
create table events (
  number integer primary key,
  merchant_id text not null,
  is_test integer not null check (is_test in (0, 1)),
  -- Null: an event that a merchant had sent to try an endpoint.
  payment_id text references payments (id),
  sequence integer not null,
  type text not null,
  -- Frozen when the event happened: every attempt sends these bytes. Null only where nobody was to be told that a payment was
  -- created: that is made from the payment's row when somebody asks, because it would be the most that a create writes.
  body text,
  created_at_ms integer not null
) strict;

create index events_by_merchant on events (merchant_id, is_test, number);

-- A merchant's own receivers, beside the callbackUrl of a payment.
create table webhook_endpoints (
  id text primary key,
  merchant_id text not null references merchants (id),
  -- Whether it is told of test payments, or of live ones.
  is_test integer not null check (is_test in (0, 1)),
  url text not null,
  description text not null,
  -- JSON array; null: all.
  types text,
  -- Sealed. The previous one signs too until its time is over.
  secret text not null,
  previous_secret text,
  previous_secret_until_ms integer,
  -- Null: enabled.
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing', 'deleted')),
  disabled_at_ms integer,
  -- The first failure since the last success.
  failing_since_ms integer,
  created_at_ms integer not null,
  updated_at_ms integer not null
) strict;

create index webhook_endpoints_by_merchant on webhook_endpoints (merchant_id, is_test) where disabled_reason is null;

-- The outbox: one event to one receiver, written with the payment's state, pulled by the dispatcher.
drop table deliveries;
create table deliveries (
  number integer primary key,
  event_number integer not null references events (number),
  merchant_id text not null,
  is_test integer not null check (is_test in (0, 1)),
  payment_id text,
  sequence integer not null,
  type text not null,
  -- Null: the payment's callbackUrl.
  endpoint_id text references webhook_endpoints (id),
  url text not null,
  -- Whom it waits behind and holds up: the endpoint, or the merchant and the origin of the callbackUrl.
  lane text not null,
  state text not null check (state in ('due', 'delivered', 'failed')),
  -- All, and those since it was last asked for.
  attempts integer not null default 0,
  tries integer not null default 0,
  due_at_ms integer not null,
  last_code integer,
  last_error text,
  created_at_ms integer not null,
  done_at_ms integer
) strict;

create index deliveries_due on deliveries (lane, due_at_ms, event_number) where state = 'due';
create unique index deliveries_by_event on deliveries (event_number, lane);
create index deliveries_by_payment on deliveries (payment_id, lane, event_number);
create index deliveries_by_merchant on deliveries (merchant_id, is_test, number);
create index deliveries_failed on deliveries (merchant_id, is_test, number) where state = 'failed';

-- What was posted, and what came of it.
create table attempts (
  delivery_number integer not null references deliveries (number),
  number integer not null,
  sent_at_ms integer not null,
  took_ms integer not null,
  code integer,
  error text,
  -- How the answer began.
  answer text not null,
  primary key (delivery_number, number)
) strict, without rowid;

-- merchants.webhook_secret is sealed too; the previous one signs as well until its time is over.
alter table merchants add column previous_webhook_secret text;
alter table merchants add column previous_webhook_secret_until_ms integer;

-- Something sealed with the key of this database: tells whether a key is that one.
create table vault (
  id integer primary key check (id = 1),
  sealed text not null
) strict;
