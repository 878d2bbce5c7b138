-- What was agreed for a read on the marketplace, in millionths of an Australian dollar, if what was paid is what that is worth. It is kept with the payment,
-- because an amount in US dollars does not always convert back to it. Null for other payments, and for those from before this was recorded.
alter table payments add column price_aud_micros bigint check (price_aud_micros > 0);
alter table payments add constraint payments_agreed_on_marketplace
  check (price_aud_micros is null or shown_member_id is not null or member_id is null);
