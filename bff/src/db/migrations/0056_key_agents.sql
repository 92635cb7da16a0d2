-- The agent that a key with the scope 'agent' is for; null: every other key.
alter table credentials add column agent_id text;
-- The agent that made the link, whose payments count as that agent's; null: no agent's key did.
alter table payment_links add column agent_id text;
