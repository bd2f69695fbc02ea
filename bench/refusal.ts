/** Why there are no figures, for whoever asked for them. */
export class Refusal extends Error {}
