-- What a merchant's payments add up to, by the quarter of an hour in which they were created: days of every time zone begin at one. Kept
-- by the ledger in the commit that changes a payment, so that a month is read without its payments.
create table payment_sums (
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  -- Of the creation: Unix milliseconds divided by 900000.
  quarter integer not null,
  network text not null,
  currency text not null,
  token_decimals integer not null,
  created integer not null,
  -- Payments that are paid now.
  paid integer not null,
  -- Base units: confirmed money, late money too; and what was sent back of it for good.
  received text not null,
  refunded text not null,
  primary key (merchant_id, is_test, quarter, network, currency, token_decimals)
) strict, without rowid;

-- Amounts are longer than the database's integers, so they are added in two parts, the lower one of twelve digits.
insert into payment_sums (merchant_id, is_test, quarter, network, currency, token_decimals, created, paid, received, refunded)
select merchant_id, is_test, quarter, network, currency, token_decimals, created, paid,
       case when received_high + received_low / 1000000000000 = 0 then '' || received_low
            else (received_high + received_low / 1000000000000)
                 || substr('' || (1000000000000 + received_low % 1000000000000), 2) end,
       case when refunded_high + refunded_low / 1000000000000 = 0 then '' || refunded_low
            else (refunded_high + refunded_low / 1000000000000)
                 || substr('' || (1000000000000 + refunded_low % 1000000000000), 2) end
  from (select merchant_id, is_test, created_at_ms / 900000 as quarter, network, currency, token_decimals,
               cast(count(*) as bigint) as created,
               cast(sum(case when status in ('completed', 'sweeping', 'swept', 'sweep_failed') then 1 else 0 end) as bigint) as paid,
               cast(sum(case when length(received) > 12 then cast(substr(received, 1, length(received) - 12) as bigint) else 0 end
                      + case when length(late) > 12 then cast(substr(late, 1, length(late) - 12) as bigint) else 0 end)
                 as bigint) as received_high,
               cast(sum(case when length(received) > 12 then cast(substr(received, length(received) - 11, 12) as bigint)
                             else cast(received as bigint) end
                      + case when length(late) > 12 then cast(substr(late, length(late) - 11, 12) as bigint)
                             else cast(late as bigint) end) as bigint) as received_low,
               cast(sum(case when length(refunded) > 12 then cast(substr(refunded, 1, length(refunded) - 12) as bigint) else 0 end)
                 as bigint) as refunded_high,
               cast(sum(case when length(refunded) > 12 then cast(substr(refunded, length(refunded) - 11, 12) as bigint)
                             else cast(refunded as bigint) end) as bigint) as refunded_low
          from payments
         group by merchant_id, is_test, created_at_ms / 900000, network, currency, token_decimals) as parts;

-- What a person has to do about a payment; null: nothing. Of several things the first of `attentions` in payment/attention.ts.
alter table payments add column attention text;

create index payments_attention on payments (merchant_id, is_test, attention, number) where attention is not null;

-- The ledger writes it with each change from here on; of what lies already, what the columns say.
update payments
   set attention = case when status = 'sweep_failed' then 'payout_failed'
                        when refund = 'failed' then 'refund_failed'
                        when refund_address is null and refunded = '0' then 'refund_address'
                        else null end
 where mode = 'deposit'
   and (status = 'sweep_failed' or refund = 'failed'
     or (status in ('expired', 'cancelled', 'failed') and (received <> '0' or late <> '0') and refund_address is null
         and refunded = '0'));

-- A merchant's payments by their creation, for reports.
create index payments_by_creation on payments (merchant_id, is_test, created_at_ms, number);

-- The newest copy that the command `backup` has made and verified.
create table backups (
  id integer primary key check (id = 1),
  made_at_ms integer not null,
  bytes integer not null
) strict;
