-- One queue for everything that the service sends: the sweep of a deposit, the refund of what a payment owes, and the return of an
-- unmatched transfer. Written with the payment's state, pulled by the payout worker of the network. `token` as the payment has it;
-- of a return the unmatched token, the zero address for the coin.
create table payouts (
  payment_id text not null references payments (id),
  kind text not null check (kind in ('sweep', 'refund', 'return')),
  network text not null,
  token text not null,
  state text not null check (state in ('queued', 'sent')),
  due_at_ms integer not null,
  failures integer not null default 0,
  transaction_id text,
  -- Since when a sweep waits because its gas would eat too much of it; null: it does not.
  waiting_since_ms integer,
  primary key (payment_id, kind, network, token)
) strict, without rowid;

create index payouts_due on payouts (network, kind, state, due_at_ms);

insert into payouts (payment_id, kind, network, token, state, due_at_ms, failures, transaction_id, waiting_since_ms)
select s.payment_id, 'sweep', s.network, p.token_address, s.state, s.due_at_ms, s.failures, s.transaction_id, s.waiting_since_ms
  from sweeps s join payments p on p.id = s.payment_id;

insert into payouts (payment_id, kind, network, token, state, due_at_ms, failures, transaction_id)
select r.payment_id, 'refund', r.network, p.token_address, r.state, r.due_at_ms, r.failures, r.transaction_id
  from refunds r join payments p on p.id = r.payment_id;

insert into payouts (payment_id, kind, network, token, state, due_at_ms, failures, transaction_id)
select payment_id, 'return', network, token, state, due_at_ms, failures, transaction_id
  from stray_refunds;

-- The payouts that an outgoing transaction makes. They outlive their rows in `payouts`, so that each is counted once, whatever happens.
-- `address` and `amount` are null for a sweep: the terms of the deposit say them. `state` is `confirmed` when the payout was counted.
create table outgoing_payouts (
  transaction_id text not null,
  kind text not null check (kind in ('sweep', 'refund', 'return')),
  payment_id text not null references payments (id),
  network text not null,
  token text not null,
  address text,
  amount text,
  state text not null check (state in ('sent', 'confirmed', 'failed')),
  primary key (transaction_id, kind, payment_id)
) strict, without rowid;

create index outgoing_payouts_by_payment on outgoing_payouts (payment_id);

insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, address, amount, state)
select o.transaction_id, 'sweep', o.payment_id, p.network, p.token_address, null, null,
       case when exists (select 1 from outgoing_transactions x where x.id = o.transaction_id and x.state = 'confirmed')
            then 'confirmed'
            when exists (select 1 from outgoing_transactions x
                          where x.id = o.transaction_id and x.state in ('stored', 'replaced'))
            then 'sent'
            else 'failed' end
  from outgoing_payments o join payments p on p.id = o.payment_id;

insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, address, amount, state)
select o.transaction_id, 'refund', o.payment_id, p.network, p.token_address, o.address, o.amount, o.state
  from outgoing_refunds o join payments p on p.id = o.payment_id;

insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, address, amount, state)
select transaction_id, 'return', payment_id, network, token, address, amount, state
  from outgoing_stray_refunds;

drop table sweeps;
drop table refunds;
drop table stray_refunds;
drop table outgoing_payments;
drop table outgoing_refunds;
drop table outgoing_stray_refunds;
