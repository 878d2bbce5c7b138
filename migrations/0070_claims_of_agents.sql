-- The grant of the agent that presented a payment, whose limit it was counted against; null if no agent did. What is owed back is taken off again.
alter table payment_claims add column grant_id uuid;
