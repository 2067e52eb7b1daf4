const https = require("https");

https.get(params["url"], (response) => {
  response.resume();
  results().counter("calls", 1);
});
