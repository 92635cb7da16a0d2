-- Who asked is part of what names a repeated create: the kind of credential and, for a public key, the client. Answers of
-- public keys from before are not taken over, because nothing says which client they belong to.
create table new_idempotency_keys (
  -- merchant, live or test, endpoint, kind of key, key
  scope text not null,
  credential text not null check (credential in ('public', 'api')),
  -- Keyed digest of the client's address; empty for API key and secret.
  client text not null,
  -- Money fields of the first request: a repeat must not differ in them.
  terms text not null,
  -- Digest of everything that the first request asked for.
  request_digest text not null,
  payment_id text not null references payments (id),
  answer text not null,
  expires_at_ms integer,
  primary key (scope, credential, client)
) strict;

insert into new_idempotency_keys (scope, credential, client, terms, request_digest, payment_id, answer, expires_at_ms)
  select scope, credential, '', terms, '', payment_id, answer, expires_at_ms
    from idempotency_keys where credential = 'api';

drop table idempotency_keys;
alter table new_idempotency_keys rename to idempotency_keys;

create index idempotency_expiry on idempotency_keys (expires_at_ms) where expires_at_ms is not null;

-- Keyed digest of the address of the client that created a payment with a public key, while the payment is open.
alter table payments add column client text;

drop index payments_open_by_public_key;
create index payments_open_by_client on payments (public_key, client, seen, late)
  where status = 'pending' and public_key is not null;
