-- The kind of key that made a payment. Live keys, public and api, make test payments too, by the sandbox.
alter table payments add column made_with text not null default 'api' check (made_with in ('public', 'test', 'api'));
update payments
   set made_with = case when is_test = 1 and coalesce(public_key, '') not like 'sandbox %' then 'test' else 'public' end
 where public_key is not null
    or id in (select payment_id from idempotency_keys where credential = 'public');

-- Whether the reports that a public key reads show turnover.
alter table merchants add column public_reports integer not null default 0 check (public_reports in (0, 1));

-- Whether an address is one that we take deposits at.
create index payments_by_deposit_address on payments (deposit_address) where deposit_address is not null;
