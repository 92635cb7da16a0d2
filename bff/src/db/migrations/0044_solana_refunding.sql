-- Refunds under way on Solana were not counted. A payment has at most one.
update payments
   set refunding = (select o.amount from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
                     where o.payment_id = payments.id and o.kind = 'refund' and x.state = 'stored'
                       and x.last_valid_height is not null limit 1)
 where refunding = '0'
   and exists (select 1 from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
                where o.payment_id = payments.id and o.kind = 'refund' and x.state = 'stored'
                  and x.last_valid_height is not null);
