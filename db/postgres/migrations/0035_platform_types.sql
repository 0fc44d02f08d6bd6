-- What an endpoint of the platform's format gets when it names no types follows from its format from here on: those that
-- were made so far have the list of their time.
UPDATE webhook_endpoints SET types = NULL WHERE format = 'platform' AND types IN (
  '["message.sent","message.delivered","message.read","message.failed","message.received"]',
  '["message.sent","message.delivered","message.read","message.failed","message.received","payment.pending","payment.captured","payment.failed"]'
);
