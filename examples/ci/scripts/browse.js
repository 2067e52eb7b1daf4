const http = require("http");
const users = dataTable.open("users.csv");

users.next().then(([user]) => {
  http.get(`https://shop.example.com/products?user=${user.data.name}`, (response) => {
    response.resume();
    results().counter("products", 1);
  });
});
