-- What became of a change. Null: not known, because the service stopped, or failed, before it had answered.
alter table audit_log add column outcome text check (outcome in ('done', 'unchanged', 'refused'));
-- The code of the error that a refused change was answered with.
alter table audit_log add column refusal text;

-- Entries with these names were written before the change, whatever became of it; all others in the commit of the change.
update audit_log set outcome = 'done'
 where action not in ('link.made', 'link.ended', 'payment.ended', 'refund.requested', 'payment.lateAccepted',
                      'keyOrigins.changed', 'agentPolicy.changed', 'agentPolicy.removed', 'webhookEndpoint.created',
                      'webhookEndpoint.changed', 'webhookEndpoint.removed', 'webhookSecret.rotated');
