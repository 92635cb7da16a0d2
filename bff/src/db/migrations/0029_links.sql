-- Payment links: a merchant's offer to pay, whose customers choose network and token. Each payment that a customer makes by it is a payment
-- of its own.
create table payment_links (
  number integer primary key,
  id text not null unique,
  merchant_id text not null references merchants (id),
  -- Whole tokens as decimal text, or a price in a currency: one of both.
  amount text,
  price text,
  price_currency text,
  -- Null: the customer chooses.
  network text,
  currency text,
  description text,
  -- Payments that may be paid by it.
  payments_max integer not null,
  expires_at_ms integer,
  ended_at_ms integer,
  order_id text,
  callback_url text,
  return_url text,
  metadata text,
  -- How often its page was opened.
  opened integer not null default 0,
  created_at_ms integer not null,
  check ((amount is null) <> (price is null)),
  check ((price is null) = (price_currency is null))
) strict;
create index payment_links_by_merchant on payment_links (merchant_id, number);

alter table payments add column link_id text references payment_links (id);
create index payments_by_link on payments (status, link_id) where link_id is not null;

-- The origins that a merchant's public key is accepted from in browsers, separated by spaces; null: any.
alter table merchants add column key_origins text;
