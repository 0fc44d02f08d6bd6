/**
 * Fields of the platform's form that callers of the partner API write by mistake, and what they are called there; null:
 * it needs none of it.
 */
export const platformFields: Readonly<Record<string, string | null>> = {
  to: '"phone"',
  text: '"content"',
  template: '"templateName", "templateLanguage" and "templateVariables"',
  interactive: '"content"',
  context: '"replyTo"',
  biz_opaque_callback_data: '"reference"',
  messaging_product: null,
  recipient_type: null,
  recipient: '"userId"',
}
