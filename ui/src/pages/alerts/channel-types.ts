import type { ChannelType } from '../../api/alerts-api.ts';

interface ChannelTexts {
  readonly label: string;
  /** Label of the field for the address. */
  readonly address: string;
  readonly placeholder: string;
  /** Where to find the address. */
  readonly hint: string;
  /** Label of the field for a secret; null: the type has none that people enter. */
  readonly secret: string | null;
}

/** Texts about the types of channels, in the order in which they are offered. */
export const CHANNEL_TEXTS: Readonly<Record<ChannelType, ChannelTexts>> = {
  slack: {
    label: 'Slack',
    address: 'Webhook URL',
    placeholder: 'https://hooks.slack.com/services/…',
    hint: 'In Slack: your app, Features, Incoming Webhooks, Add New Webhook to Workspace. Copy its Webhook URL.',
    secret: null,
  },
  mattermost: {
    label: 'Mattermost',
    address: 'Webhook URL',
    placeholder: 'https://chat.example.com/hooks/…',
    hint: 'In Mattermost: Integrations, Incoming Webhooks, Add Incoming Webhook. Copy the URL that is shown at the end.',
    secret: null,
  },
  teams: {
    label: 'Microsoft Teams',
    address: 'Workflow URL',
    placeholder: 'https://….logic.azure.com/workflows/…',
    hint: 'In Teams: the channel’s menu, Workflows, “Send webhook alerts to a channel”. Copy the URL that the workflow shows.',
    secret: null,
  },
  discord: {
    label: 'Discord',
    address: 'Webhook URL',
    placeholder: 'https://discord.com/api/webhooks/…',
    hint: 'In Discord: Edit Channel, Integrations, Webhooks, New Webhook, Copy Webhook URL.',
    secret: null,
  },
  mail: {
    label: 'Mail',
    address: 'Mail addresses',
    placeholder: 'ops@example.com, team@example.com',
    hint: 'For lists and shared mailboxes, separated by commas. Members get mail without a channel.',
    secret: null,
  },
  webhook: {
    label: 'Signed webhook',
    address: 'URL',
    placeholder: 'https://example.com/hooks/errors',
    hint: 'Any address of yours that takes Standard Webhooks. errgate makes a signing secret and shows it once.',
    secret: 'Signing secret',
  },
  alertmanager: {
    label: 'Alertmanager',
    address: 'URL',
    placeholder: 'http://alertmanager:9093',
    hint: 'The address of its page; /api/v2/alerts is added.',
    secret: 'Bearer token',
  },
  gitlab: {
    label: 'GitLab alerts',
    address: 'Webhook URL',
    placeholder: 'https://gitlab.example.com/group/project/alerts/notify/…',
    hint: 'In GitLab: Settings, Monitor, Alerts, Add new integration, type “HTTP Endpoint”. Copy URL and authorization key.',
    secret: 'Authorization key',
  },
};

export const CHANNEL_TYPES = Object.keys(CHANNEL_TEXTS) as ChannelType[];
