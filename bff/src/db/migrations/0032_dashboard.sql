-- People who sign in to the dashboard. A person belongs to one merchant's account, and is kept after the removal for the audit log.
create table people (
  id text primary key,
  merchant_id text not null references merchants (id),
  name text not null,
  role text not null check (role in ('owner', 'staff', 'viewer')),
  created_at_ms integer not null,
  -- Null: the person may sign in.
  removed_at_ms integer
) strict, without rowid;

create index people_by_merchant on people (merchant_id, created_at_ms);

create table passkeys (
  -- The credential's id, as the browser encodes it (base64url).
  id text primary key,
  person_id text not null references people (id),
  -- COSE key as base64url.
  public_key text not null,
  -- The authenticator's count of its signatures; 0 where it keeps none.
  counter integer not null,
  created_at_ms integer not null,
  last_used_at_ms integer
) strict, without rowid;

create index passkeys_by_person on passkeys (person_id);

-- Links that make a person, or replace the passkeys of one. Only the token's hash is stored.
create table invitations (
  token_sha256 text primary key,
  merchant_id text not null references merchants (id),
  -- Whose passkeys are replaced; null: the link makes a person.
  person_id text references people (id),
  name text not null,
  role text not null check (role in ('owner', 'staff', 'viewer')),
  -- 1: it signs in without a passkey, as often as it is opened; on test networks only.
  is_demo integer not null check (is_demo in (0, 1)),
  created_at_ms integer not null,
  ends_at_ms integer not null,
  used_at_ms integer
) strict, without rowid;

create index invitations_by_end on invitations (ends_at_ms);

create table dashboard_sessions (
  id text primary key,
  -- Of the cookie's value.
  token_sha256 text not null unique,
  person_id text not null references people (id),
  created_at_ms integer not null,
  ends_at_ms integer not null,
  address text not null,
  browser text not null
) strict, without rowid;

create index dashboard_sessions_by_person on dashboard_sessions (person_id, ends_at_ms);
create index dashboard_sessions_by_end on dashboard_sessions (ends_at_ms);

-- Challenges that a passkey has signed: none is accepted twice.
create table used_challenges (
  challenge_sha256 text primary key,
  ends_at_ms integer not null
) strict, without rowid;

create index used_challenges_by_end on used_challenges (ends_at_ms);

-- What people changed through the dashboard. Rows are only added.
create table audit_log (
  number integer primary key autoincrement,
  merchant_id text not null references merchants (id),
  -- Null: by the command line.
  person_id text references people (id),
  person_name text not null,
  at_ms integer not null,
  action text not null,
  -- What was changed, such as a network, a key or a person.
  subject text not null,
  before_value text,
  after_value text,
  address text not null
) strict;

create index audit_log_by_merchant on audit_log (merchant_id, number);
