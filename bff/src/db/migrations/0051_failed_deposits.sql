-- Payments that have failed and that a person has to do something about: anyone may settle the deposit of such a payment.
create index payments_failed on payments (network, number)
 where attention is not null and status in ('expired', 'cancelled', 'failed');
