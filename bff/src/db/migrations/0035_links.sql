-- Links of test mode: their payments are test payments.
alter table payment_links add column is_test integer not null default 0 check (is_test in (0, 1));
drop index payment_links_by_merchant;
create index payment_links_by_merchant on payment_links (merchant_id, is_test, number);

-- What a repeat of the request that made a link is answered. Payments have theirs in `idempotency_keys`.
create table link_keys (
  scope text primary key,
  -- What the link asks for, in one canonical text.
  terms text not null,
  link_id text not null references payment_links (id),
  answer text not null,
  -- Null: for as long as the link takes payments.
  expires_at_ms integer
) strict, without rowid;
create index link_keys_by_expiry on link_keys (expires_at_ms) where expires_at_ms is not null;
