import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { degreesMax } from '../../../../../base/upstreamLimits.ts'
import { Form, useForm } from '../../../components/Form.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { Warning } from '../../../components/Warning.tsx'
import { composer as words } from '../../../texts/en/composer.ts'
import type { Message } from './composition.ts'

/** A device that knows no place says so sooner; who has to allow it takes some seconds. */
const locatedMsMax = 20_000
/** A metre. */
const shownDigits = 5

const degrees = (max: number) => (typed: string) => {
  const value = Number(typed.replace(',', '.'))
  return typed.trim() === '' || !(Math.abs(value) <= max) ? words.degrees(String(max)) : null
}

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSend: (message: Message, said: string) => void
}

/** A place for the person: where this device is, or one that is typed. */
export function PlaceDialog({ isOpen, ...props }: Props) {
  return (
    <FormDialog opened={isOpen} onClose={props.onClose} title={words.place}>
      <PlaceForm {...props} />
    </FormDialog>
  )
}

function PlaceForm({ onClose, onSend }: Omit<Props, 'isOpen'>) {
  const form = useForm({
    initial: { latitude: '', longitude: '', name: '', address: '' },
    rules: { latitude: degrees(degreesMax.latitude), longitude: degrees(degreesMax.longitude) },
    noValidate: true,
    async send({ latitude, longitude, name, address }) {
      const [lat, lon] = [latitude, longitude].map(typed => Number(typed.replace(',', '.')))
      const named = { ...(name.trim() && { name: name.trim() }), ...(address.trim() && { address: address.trim() }) }
      onSend(
        { type: 'location', latitude: lat, longitude: lon, ...named },
        name.trim() || words.placeAt(latitude, longitude),
      )
      onClose()
    },
  })
  const finding = useMutation({
    mutationFn: () =>
      new Promise<GeolocationCoordinates>((resolve, reject) => {
        const options = { enableHighAccuracy: true, timeout: locatedMsMax }
        navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), reject, options)
      }),
    onSuccess: ({ latitude, longitude }) =>
      form.set({ latitude: latitude.toFixed(shownDigits), longitude: longitude.toFixed(shownDigits) }),
  })
  return (
    <Form form={form} submit={words.send} onCancel={onClose}>
      <Stack gap="sm">
        <Button
          variant="default"
          leftSection={<IconCurrentLocation size={16} />}
          loading={finding.isPending}
          onClick={() => finding.mutate()}
        >
          {words.hereNow}
        </Button>
        {finding.error && <Warning>{words.notLocated}</Warning>}
        <Group grow align="flex-start">
          <TextInput required inputMode="decimal" label={words.latitude} {...form.text('latitude')} />
          <TextInput required inputMode="decimal" label={words.longitude} {...form.text('longitude')} />
        </Group>
        <TextInput label={words.placeName} {...form.text('name')} />
        <TextInput label={words.placeAddress} {...form.text('address')} />
      </Stack>
    </Form>
  )
}
