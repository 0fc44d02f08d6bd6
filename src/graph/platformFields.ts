/** Fields of the platform's form that callers of the partner API write by mistake, and what they are called there. */
export const platformFields: Readonly<Record<string, string>> = {
  to: 'phone',
  text: 'content',
  template: 'templateName, templateLanguage and templateVariables',
  interactive: 'content',
  context: 'replyTo',
  biz_opaque_callback_data: 'reference',
  messaging_product: 'not needed',
  recipient_type: 'not needed',
  recipient: 'userId',
}
