-- Purchases on the marketplace whose process ended between the payment and the read are finished by a task, which needs to know that they are
-- purchases on the marketplace (docs/decisions/0057-marketplace.md).

-- The id by which a buyer on the marketplace named the member; null for other reads, and after the member's erasure.
alter table payment_claims add column marketplace_member_id uuid;
