import { TextInput } from '@mantine/core'
import { nameLengthMax } from '../../../../base/names.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { texts } from '../../texts/texts.ts'

const words = texts.contacts

/**
 * The form of a new contact. A number that one has already leads to that one.
 * @param props.phone to begin with
 * @param props.submit what its button says
 * @param props.onAdded gets the id of the contact
 */
export function AddContact(props: {
  phone?: string
  submit: string
  onAdded: (contactId: string) => void
  onCancel: () => void
}) {
  const { phone = '', submit, onAdded, onCancel } = props
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial: { phone, name: '' },
    async send({ phone, name }) {
      const named = name.trim() === '' ? {} : { name }
      return (await change(routes.contacts.post({ phone, ...named }), 'contacts')).contact.id
    },
    onSuccess: onAdded,
  })
  return (
    <Form form={form} submit={submit} onCancel={onCancel} isReady={form.fields.phone.trim() !== ''}>
      <TextInput
        {...labelled(words, 'phone')}
        required
        type="tel"
        autoComplete="off"
        data-autofocus={phone === '' || undefined}
        {...form.text('phone')}
      />
      <TextInput
        label={words.columns.name}
        placeholder={words.optional}
        autoComplete="off"
        maxLength={nameLengthMax}
        data-autofocus={phone !== '' || undefined}
        {...form.text('name')}
      />
    </Form>
  )
}
