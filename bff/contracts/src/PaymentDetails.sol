// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The terms of one payment. Names, order and types are those that existing clients call with.
/// @param token ERC-20 that the payer pays with
/// @param amount What the payer pays, in base units of `token`
/// @param paymentId The payment's id, in the words of the service that made it
/// @param recipient1 The merchant; gets what the other shares, rounded down, leave
/// @param recipient2 The platform; may be zero when its share is
/// @param recipient3 A third party; may be zero when its share is
/// @param recipient1Percentage Share in basis points; the three add up to 10,000
/// @param recipient2Percentage Share in basis points
/// @param recipient3Percentage Share in basis points
struct PaymentDetails {
    address token;
    uint256 amount;
    string paymentId;
    address recipient1;
    address recipient2;
    address recipient3;
    uint256 recipient1Percentage;
    uint256 recipient2Percentage;
    uint256 recipient3Percentage;
}
