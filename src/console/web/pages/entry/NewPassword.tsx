import { PasswordInput } from '@mantine/core'
import { passwordLengthMin } from '../../../../base/names.ts'
import type { useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { entry as words } from '../../texts/en/entry.ts'

/** The fields of a password that is typed twice. */
export const noPassword = { newPassword: '', repeated: '' }
type Fields = Readonly<typeof noPassword>

/** For a form with live checks. One problem at a time: a short password is not also compared. */
export const passwordRules = {
  newPassword: (password: string) => (password.length < passwordLengthMin ? words.passwordShort : null),
  repeated: (repeated: string, { newPassword }: Fields) =>
    newPassword.length < passwordLengthMin || newPassword === repeated ? null : words.passwordsDiffer,
}

/** Those fields of a form. @param props.isFirst there was none before */
export function NewPassword(props: {
  form: Pick<ReturnType<typeof useForm<Fields, unknown>>, 'text'>
  isFirst?: boolean
}) {
  const { form, isFirst } = props
  return (
    <>
      <PasswordInput
        {...labelled(words, 'newPassword')}
        {...(isFirst && { label: words.password })}
        autoComplete="new-password"
        required
        {...form.text('newPassword')}
      />
      <PasswordInput label={words.repeatPassword} autoComplete="new-password" required {...form.text('repeated')} />
    </>
  )
}
