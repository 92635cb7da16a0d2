-- Who made an invitation: it ends when that person is no owner any more. Null: by the command line.
alter table invitations add column invited_by text references people (id);

create index invitations_by_merchant on invitations (merchant_id, ends_at_ms);
