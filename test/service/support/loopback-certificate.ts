/** A certificate that nobody signed, for servers of tests on loopback; its key is no secret. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUCuiJAi+7T/JymkFH718pUPuagyowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE4MjAyN1oYDzIxMjYxMDI5
MTgyMDI3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATyf6vXw6hwNRpkh21IAxENm61jqKFXalr/jICip7q5jkv4zbHkXhwp
ekgfl2BretmXjwQ99W6WqNF1nQZpspPQo1MwUTAdBgNVHQ4EFgQU83CqV0sDtNMn
ATFhDmdn7IHtzi0wHwYDVR0jBBgwFoAU83CqV0sDtNMnATFhDmdn7IHtzi0wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAUDckirBb/1q9GzbbNsBHX
bZqkvbZ9+sjC91PjQWoYiwIgF/ppP4XHreJnOHzF1USnKQHRlt/QhCQRZj7PcrCg
MH0=
-----END CERTIFICATE-----
`;

export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNxQznsnRuf7yRYq0
2VMVxSMpzZaTgz6xQr0tdRFr4EehRANCAATyf6vXw6hwNRpkh21IAxENm61jqKFX
alr/jICip7q5jkv4zbHkXhwpekgfl2BretmXjwQ99W6WqNF1nQZpspPQ
-----END PRIVATE KEY-----
`;
