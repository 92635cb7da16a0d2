-- What an API key may call: 'agent', what an agent's tools do; null: everything, also every key from before.
alter table credentials add column scope text;
