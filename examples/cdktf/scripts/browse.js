const https = require("https");
const users = dataTable.open("users.csv");

users.next().then(([user]) => {
  const url = `${params["baseUrl"]}/products?user=${user.data.name}`;
  https.get(url, (response) => {
    response.resume();
    results().counter("products", 1);
  });
});
